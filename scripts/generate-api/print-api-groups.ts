/** The table behind client-go's clientset and informer factory: group → version → resource → kind. */
import { homePath } from "./naming.ts";
import { camelCase } from "@drover/machinery";
import type { ApiModel, GroupVersionModel } from "./api-model.ts";

/** The text of packages/client-go/src/kubernetes/api-groups.ts. */
export function printApiGroups({ groupVersions }: ApiModel): string {
  const served = groupVersions
    .map((model) => ({ ...model, kinds: kindsOf(model) }))
    .filter(({ home, kinds }) => home.folder !== "meta" && kinds.length > 0);
  const imports = served.map(
    ({ home, kinds }) =>
      `import {\n${kinds.map(({ name, local }) => `  ${name} as ${local},\n`).join("")}} from "@drover/api/${homePath(home)}";\n`,
  );
  const groups = [...new Set(served.map(({ home }) => home.folder))];
  const body = (entry: (kind: KindName) => string, open: (name: string) => string): string =>
    groups
      .map((group) => {
        const versions = served
          .filter(({ home }) => home.folder === group)
          .map(({ home, kinds }) => `    ${open(home.version)}{\n${kinds.map((kind) => `      ${entry(kind)}\n`).join("")}    }`);
        return `  ${open(group)}{\n${versions.join(",\n")},\n  }`;
      })
      .join(",\n");
  const types = body(
    ({ resource, local }) => `readonly ${resource}: typeof ${local};`,
    (name) => `readonly ${name}: `,
  ).replaceAll("},\n", "};\n");
  const values = body(
    ({ resource, local }) => `${resource}: ${local},`,
    (name) => `${name}: `,
  );
  return [
    ...imports,
    "\n/** Every built-in kind, as Go's clientset names its resources. */\n",
    `export interface ApiGroups {\n${types};\n}\n\n`,
    `export const apiGroups: ApiGroups = {\n${values},\n};\n`,
  ].join("");
}

interface KindName {
  readonly name: string;
  readonly local: string;
  readonly resource: string;
}

function kindsOf({ home, definitions }: GroupVersionModel): readonly KindName[] {
  return definitions.flatMap(({ name, resource }) =>
    resource === undefined
      ? []
      : [{ name, local: `${camelCase(`/${homePath(home)}`)}${name}`, resource: accessorName(name, resource.plural) }],
  );
}

/** "ConfigMap", "configmaps" → "configMaps"; "CSIDriver", "csidrivers" → "csiDrivers". */
export function accessorName(kind: string, plural: string): string {
  const head = /^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/.exec(kind)?.[0] ?? "";
  const camel = head.toLowerCase() + kind.slice(head.length);
  let common = 0;
  while (common < camel.length && camel[common]?.toLowerCase() === plural[common]) common++;
  return camel.slice(0, common) + plural.slice(common);
}
