/** Objects with named fields, and maps with arbitrary keys. */
import { setOwn } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import { enumValues } from "./choice-schema.ts";
import type { SchemaWalk } from "./schema-walk.ts";
import { checksOf, definitionOf, isRequired } from "./zod-node.ts";
import type { ZodSchema } from "./zod-schema.ts";

/**
 * Schema of an object. The server drops unknown fields, as zod does; a loose object keeps them. A strict object is
 * accepted as is: the server drops the fields it would reject before validation.
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
    why: "types unnamed fields, which the server cannot do next to named ones",
    instead: "z.record(z.string(), …) in a field of its own, or z.looseObject",
  });
}

/** Schema of a map. */
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
      why: "cannot be checked by the server",
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
