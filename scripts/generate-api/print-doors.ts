/** Files that join the generated ones: the list of all kinds, the list of all schema tables, and the package's entry points. */
import { camelCase, printJson } from "@drover/machinery";
import type { Printable } from "@drover/machinery";
import type { GroupVersionModel } from "./api-model.ts";
import { homePath } from "./naming.ts";

/** src/kind-list.ts: every descriptor, ordered by path and name. */
export function printKindList(groupVersions: readonly GroupVersionModel[]): string {
  const groups = groupVersions
    .map(({ home, definitions }) => ({
      path: homePath(home),
      kinds: definitions.filter(({ resource }) => resource !== undefined).map(({ name }) => `${camelCase(homePath(home))}.${name}`),
    }))
    .filter(({ kinds }) => kinds.length > 0);
  const imports = groups.map(({ path }) => `import * as ${camelCase(path)} from "./${path}.ts";\n`).join("");
  const rows = groups.map(({ kinds }) => kinds.map((kind) => `  ${kind},\n`).join("")).join("");
  return `import type { Kind } from "@drover/machinery";\n${imports}
/** Every kind that has a resource, ordered by group, version and name. */
export const kinds: readonly Kind[] = [\n${rows}];\n`;
}

/** src/schemas/tables.ts: every schema table. */
export function printTableList(groupVersions: readonly GroupVersionModel[]): string {
  const paths = groupVersions.map(({ home }) => homePath(home));
  const imports = paths.map((path) => `import { table as ${camelCase(path)} } from "./${path}.ts";\n`).join("");
  return `${imports}import type { SchemaTable } from "./schema-table.ts";

/** Every table, ordered by path. */
export const tables: readonly SchemaTable[] = [\n${paths.map((path) => `  ${camelCase(path)},\n`).join("")}];\n`;
}

/** package.json with one entry point per group version that has types. */
export function printManifest(manifest: Readonly<Record<string, unknown>>, typePaths: readonly string[]): string {
  const door = (name: string, file: string): [string, Printable] => [
    name,
    { "drover-source": `./src/${file}.ts`, types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
  ];
  const doors = [
    door(".", "index"),
    door("./quota", "quota"),
    door("./schemas", "schemas"),
    door("./shapes", "shapes"),
    door("./testing", "testing"),
    ...typePaths.map((path) => door(`./${path}`, path)),
  ];
  const exports = { ...Object.fromEntries(doors), "./package.json": "./package.json" };
  return printJson({ ...(manifest as Record<string, Printable>), exports });
}
