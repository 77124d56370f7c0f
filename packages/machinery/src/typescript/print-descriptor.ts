/** Prints one `Kind` value per resource. */
import type { Kind } from "../object/kind.ts";
import { printLiteral } from "./print-literal.ts";
import type { Printable } from "./print-literal.ts";
import type { TypeScope } from "./schema-type.ts";

/** Prints the constant that describes a kind; `name` is its name and that of its interface. */
export function printDescriptor(kind: Kind, scope: TypeScope, { name }: { readonly name: string }): string {
  const { group, version, listKind, plural, singular, shortNames, categories, verbs, subresources } = kind;
  const type = `${scope.machinery("Kind")}<${name}, ${JSON.stringify(kind.scope)}, ${subresourceNames(kind)}>`;
  const lines: readonly Readonly<Record<string, Printable>>[] = [
    { group, version, kind: kind.kind, listKind },
    { plural, singular, shortNames, categories },
    { scope: kind.scope, verbs },
  ];
  const body = lines
    .map(
      (line) =>
        `  ${Object.entries(line)
          .map(([key, value]) => `${key}: ${printLiteral(value, 1, 0)}`)
          .join(", ")},\n`,
    )
    .join("");
  const last = `  subresources: ${printLiteral(subresources as unknown as Printable, 1, 14)},\n`;
  return `export const ${name}: ${type} = {\n${body}${last}};\n`;
}

function subresourceNames({ subresources }: Kind): string {
  const names = Object.keys(subresources);
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}
