/** Objects with named fields, and maps whose keys are anybody's choice. */
import { setOwn } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import { enumValues } from "./choice-schema.ts";
import type { SchemaWalk } from "./schema-walk.ts";
import { checksOf, definitionOf, isRequired } from "./zod-node.ts";
import type { ZodSchema } from "./zod-schema.ts";

/**
 * An object with named fields. What it does not name the server drops, as zod does; a loose one keeps it. A strict one is taken as it is:
 * what it would refuse is dropped before anybody sees it.
 */
export function objectSchema(shape: Readonly<Record<string, ZodSchema>>, catchall: ZodSchema | undefined, walk: SchemaWalk): Schema {
  const rest = catchall === undefined ? "never" : definitionOf(catchall).type;
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(shape)) {
    setOwn(properties, name, walk.into(field, `.${name}`));
    if (isRequired(field)) required.push(name);
  }
  const schema: Schema = {
    type: "object",
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
  if (rest === "never") return schema;
  if (rest === "unknown" || rest === "any") return { ...schema, "x-kubernetes-preserve-unknown-fields": true };
  return walk.refuse({
    what: "catchall()",
    why: "gives a type to fields without a name, which the server cannot do beside fields with one",
    instead: "z.record(z.string(), …) in a field of its own, or z.looseObject",
  });
}

/** A map. */
export function recordSchema(key: ZodSchema, value: ZodSchema, isPartial: boolean, walk: SchemaWalk): Schema {
  const names = namesOf(key);
  if (names !== undefined) {
    const property = walk.into(value, "{}");
    const properties = Object.fromEntries(names.map((name) => [name, property]));
    return { type: "object", properties, ...(isPartial || names.length === 0 || !isRequired(value) ? {} : { required: names }) };
  }
  if (definitionOf(key).type !== "string" || checksOf(key).length > 0) {
    return walk.refuse({
      what: "z.record with rules for its keys",
      why: "is more than the server can check",
      instead: `z.record(z.string(), …), and a rule in CEL: .meta({ "x-kubernetes-validations": [{ rule: "self.all(key, key.size() < 64)" }] })`,
    });
  }
  return { type: "object", additionalProperties: walk.into(value, "{}") };
}

function namesOf(key: ZodSchema): readonly string[] | undefined {
  const definition = definitionOf(key);
  if (definition.type === "enum") return enumValues(definition.entries).map(String);
  return definition.type === "literal" ? definition.values.map(String) : undefined;
}
