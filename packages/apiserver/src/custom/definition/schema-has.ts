/** Looking for something anywhere in a schema, where values can stand and where they are only judged. */
import type { UncheckedSchema } from "@drover/machinery";

/** Whether the schema or any schema in it passes the test. */
export function schemaHas(schema: UncheckedSchema, test: (schema: UncheckedSchema) => boolean): boolean {
  return test(schema) || schemasIn(schema).some((inner) => schemaHas(inner, test));
}

/** The schemas directly inside a schema, in the order the server walks them. */
export function schemasIn(schema: UncheckedSchema): UncheckedSchema[] {
  const {
    items,
    allOf = [],
    anyOf = [],
    oneOf = [],
    not,
    properties = {},
    additionalProperties,
    patternProperties = {},
    additionalItems,
    definitions = {},
    dependencies = {},
  } = schema;
  const all: unknown[] = [
    ...(Array.isArray(items) ? (items as readonly unknown[]) : [items]),
    ...allOf,
    ...anyOf,
    ...oneOf,
    not,
    ...Object.values(properties),
    additionalProperties,
    ...Object.values(patternProperties),
    additionalItems,
    ...Object.values(definitions),
    ...Object.values(dependencies),
  ];
  return all.filter((inner): inner is UncheckedSchema => typeof inner === "object" && inner !== null && !Array.isArray(inner));
}
