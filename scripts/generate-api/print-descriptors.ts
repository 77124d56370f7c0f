/** One `Kind` value per resource, with the name of its interface. */
import type { Definition } from "./api-model.ts";
import type { DiscoveredResource } from "./openapi.ts";
import { printLiteral } from "./print-literal.ts";
import type { Printable } from "./print-literal.ts";
import { machineryType } from "./print-types.ts";
import type { TypePlace } from "./print-types.ts";

/** The descriptor of a definition which is a resource; nothing for the others. */
export function printDescriptor({ home, name, resource }: Definition, place: TypePlace): string {
  if (resource === undefined) return "";
  const type = `${machineryType("Kind", place)}<${name}, ${JSON.stringify(resource.scope)}, ${subresourceNames(resource)}>`;
  const { plural, singular, shortNames, categories, scope, verbs, subresources } = resource;
  const lines: readonly Readonly<Record<string, Printable>>[] = [
    { group: home.group, version: home.version, kind: name, listKind: `${name}List` },
    { plural, singular, shortNames, categories },
    { scope, verbs },
  ];
  const body = lines.map((line) => `  ${Object.entries(line).map(([key, value]) => `${key}: ${printLiteral(value, 1, 0)}`).join(", ")},\n`).join("");
  const last = `  subresources: ${printLiteral(subresources as unknown as Printable, 1, 14)},\n`;
  return `export const ${name}: ${type} = {\n${body}${last}};\n`;
}

function subresourceNames({ subresources }: DiscoveredResource): string {
  const names = Object.keys(subresources);
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}
