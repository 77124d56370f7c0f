/** JSON Schema keywords that no structural schema may have. */
import type { UncheckedSchema } from "./schema.ts";
import { additionalOf, itemsOf } from "./structure-rules.ts";

/** Returns why a schema or a subschema cannot be structural, in the server's words; undefined when it can. */
export function unsupportedKeyword(schema: UncheckedSchema): string | undefined {
  const own = ownProblem(schema);
  if (own !== undefined) return own;
  const children = [
    itemsOf(schema),
    additionalOf(schema),
    schema.not,
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ];
  for (const child of children) {
    const problem = child === undefined ? undefined : unsupportedKeyword(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function ownProblem(schema: UncheckedSchema): string | undefined {
  const keywords: readonly (readonly [name: string, used: boolean])[] = [
    ["id", Boolean(schema.id)],
    ["schema", Boolean(schema.$schema)],
    ["$ref", Boolean(schema.$ref)],
    ["patternProperties", Object.keys(schema.patternProperties ?? {}).length > 0],
    ["dependencies", Object.keys(schema.dependencies ?? {}).length > 0],
    ["additionalItems", schema.additionalItems !== undefined],
    ["definitions", Object.keys(schema.definitions ?? {}).length > 0],
  ];
  const found = keywords.find(([, used]) => used);
  if (found !== undefined) return `OpenAPIV3Schema '${found[0]}' is not supported`;
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  return Array.isArray(schema.items) && schema.items.length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
}
