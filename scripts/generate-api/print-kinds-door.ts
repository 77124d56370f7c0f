/** The entry point `drover/kinds`: the names of all group versions behind one specifier, each name once. */
import { camelCase, compareKubeVersions } from "@drover/machinery";
import type { ApiModel, Definition } from "./api-model.ts";
import { homePath } from "./naming.ts";

const lineWidth = 140;

/**
 * Prints packages/drover/src/kinds.ts. Where several group versions have a name, it goes to a kind rather than a part
 * of one, to the newest version of its group, and to the core group before others; if that does not decide, none of
 * them gets it. The others carry their group version as a prefix: `AutoscalingV1HorizontalPodAutoscaler`,
 * `EventsV1Event`.
 */
export function printKindsDoor({ groupVersions }: ApiModel): string {
  const groups = groupVersions.filter(({ home }) => home.folder !== "meta");
  const all = groups.flatMap(({ definitions }) => definitions);
  const specifier = (definition: Definition): string => {
    const { home, name } = definition;
    return ownerOf(all.filter((other) => other.name === name)) === definition ? name : `${name} as ${longName(definition, homePath(home))}`;
  };
  const lists = `export { findKind, kinds } from "@drover/api";\n`;
  return (
    lists +
    groups
      .map(({ home, definitions }) => {
        const from = `@drover/api/${homePath(home)}`;
        const kinds = definitions.filter(({ resource }) => resource !== undefined);
        const parts = definitions.filter(({ resource }) => resource === undefined);
        return printExport("export", kinds.map(specifier), from) + printExport("export type", parts.map(specifier), from);
      })
      .join("")
  );
}

/** The group version that gets the plain name; undefined when neither of two is the natural one. */
function ownerOf(sharers: readonly Definition[]): Definition | undefined {
  const kinds = sharers.filter(({ isKind }) => isKind);
  const candidates = kinds.length > 0 ? kinds : sharers;
  const newest = candidates.filter(({ home }) =>
    candidates.every((other) => other.home.group !== home.group || compareKubeVersions(home.version, other.home.version) <= 0),
  );
  return newest.find(({ home }) => kinds.length > 0 && home.group === "") ?? (newest.length === 1 ? newest[0] : undefined);
}

const longName = ({ name }: Definition, path: string): string => camelCase(`/${path}`) + name;

function printExport(words: string, names: readonly string[], from: string): string {
  if (names.length === 0) return "";
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length + 2 <= lineWidth) lines[lines.length - 1] = `${last} ${name},`;
    else lines.push(`  ${name},`);
  }
  return `${words} {\n${lines.join("\n")}\n} from "${from}";\n`;
}
