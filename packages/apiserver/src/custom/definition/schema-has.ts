/** Searches a schema and all schemas inside it, including those that only validate. */
import type { UncheckedSchema } from "@drover/machinery";

/** Whether the schema or any schema inside it passes the test. */
export function schemaHas(schema: UncheckedSchema, test: (schema: UncheckedSchema) => boolean): boolean {
  return test(schema) || schemasIn(schema).some((inner) => schemaHas(inner, test));
}

/** Returns the direct subschemas, in kube-apiserver's order. */
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
