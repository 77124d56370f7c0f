/**
 * Literals, enums and unions. The server requires the shape of a value outside `anyOf`, so a union is possible if its
 * options share one shape; objects are merged if a field discriminates them.
 */
import { definedOnly, jsonEqual } from "@drover/machinery";
import type { JsonValue, Schema } from "@drover/machinery";
import type { SchemaWalk } from "./schema-walk.ts";
import { definitionOf } from "./zod-node.ts";
import type { ZodSchema } from "./zod-schema.ts";

/** Schema of literal values. `null` among them makes the field nullable. */
export function literalSchema(values: readonly unknown[], walk: SchemaWalk): Schema {
  const plain = values.filter((value) => value !== null);
  const types = new Set(plain.map((value) => typeof value));
  const [type] = types;
  if (types.size !== 1 || (type !== "string" && type !== "number" && type !== "boolean")) {
    return walk.refuse({
      what: `a choice of ${values.map((value) => String(value)).join(", ")}`,
      why: "mixes types, but a field of a custom resource has one type",
      instead: "literals of one type",
    });
  }
  const schemaType = type === "number" && plain.every(Number.isInteger) ? "integer" : type;
  const isNullable = plain.length < values.length;
  return { type: schemaType, enum: (isNullable ? values : plain) as readonly JsonValue[], ...(isNullable ? { nullable: true } : {}) };
}

/** Schema of a union. */
export function unionSchema(options: readonly ZodSchema[], discriminator: string | undefined, walk: SchemaWalk): Schema {
  const some = options.filter((option) => definitionOf(option).type !== "null");
  const isNullable = some.length < options.length;
  const schema = optionsSchema(some, discriminator, walk);
  return isNullable ? { ...schema, nullable: true } : schema;
}

function optionsSchema(options: readonly ZodSchema[], discriminator: string | undefined, walk: SchemaWalk): Schema {
  const values = options.map(literalsOf);
  if (values.every((list) => list !== undefined)) return literalSchema(values.flat(), walk);
  if (options.every((option) => definitionOf(option).type === "object")) return variantsSchema(options, discriminator, walk);
  const schemas = options.map((option) => walk.into(option, ""));
  const [first = {}] = schemas;
  if (schemas.length === 1) return first;
  if (isIntOrString(schemas)) return { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] };
  const rules = schemas.map(({ type: _type, format: _format, ...rest }) => rest);
  if (schemas.every(({ type, format }) => type === first.type && format === first.format && isScalar(type))) {
    return {
      ...definedOnly({ type: first.type, format: first.format }),
      anyOf: rules,
    };
  }
  return walk.refuse({
    what: `z.union of ${schemas.map(({ type }) => type ?? "anything").join(", ")}`,
    why: "mixes shapes, but a field of a custom resource has one shape",
    instead: "z.union([z.int(), z.string()]) is int-or-string; for others use an object with one optional field each",
  });
}

function literalsOf(schema: ZodSchema): readonly unknown[] | undefined {
  const definition = definitionOf(schema);
  if (definition.type === "literal") return definition.values;
  return definition.type === "enum" ? enumValues(definition.entries) : undefined;
}

/** Returns the values of an enum. TypeScript's number enums also contain their names as values. */
export function enumValues(entries: Readonly<Record<string, string | number>>): readonly (string | number)[] {
  const numbers = new Set(
    Object.values(entries)
      .filter((value) => typeof value === "number")
      .map(String),
  );
  return [
    ...new Set(
      Object.entries(entries)
        .filter(([name]) => !numbers.has(name))
        .map(([, value]) => value),
    ),
  ];
}

function isIntOrString(schemas: readonly Schema[]): boolean {
  const types = new Set(schemas.map(({ type }) => type));
  return (
    schemas.length === 2 &&
    types.has("integer") &&
    types.has("string") &&
    schemas.every((schema) => schema.pattern === undefined && schema.minLength === undefined && schema.enum === undefined)
  );
}

function isScalar(type: string | undefined): boolean {
  return type === "string" || type === "integer" || type === "number" || type === "boolean";
}

/**
 * Merges objects that one field discriminates: all fields of all variants, and per variant which are required and which
 * are forbidden.
 */
function variantsSchema(options: readonly ZodSchema[], discriminator: string | undefined, walk: SchemaWalk): Schema {
  if (discriminator === undefined)
    return walk.refuse({
      what: "z.union of objects",
      why: "has no field that selects the variant",
      instead: 'z.discriminatedUnion("type", [z.strictObject({ type: z.literal("a"), … }), …])',
    });
  if (!options.every(isStrict)) {
    return walk.refuse({
      what: `z.discriminatedUnion("${discriminator}")`,
      why: "has variants that silently accept the fields of others, which the server would reject",
      instead: "z.strictObject in place of z.object for every variant",
    });
  }
  const variants = options.map((option) => walk.into(option, ""));
  const properties = new Map<string, Schema>();
  for (const variant of variants) {
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      const known = properties.get(name);
      if (known === undefined || jsonEqual(known, property)) properties.set(name, property);
      else if (name === discriminator)
        properties.set(name, { ...known, enum: [...new Set([...(known.enum ?? []), ...(property.enum ?? [])])] });
      else
        return walk.refuse({
          what: `the field ${name}`,
          why: `has different schemas in the variants of "${discriminator}"`,
          instead: "the same schema in all variants, or another name",
        });
    }
  }
  const all = [...properties.keys()];
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: [discriminator],
    anyOf: variants.map((variant) => variantRule(variant, discriminator, all)),
  };
}

function variantRule(variant: Schema, discriminator: string, all: readonly string[]): Schema {
  const own = variant.properties ?? {};
  const foreign = all.filter((name) => !Object.hasOwn(own, name));
  return {
    properties: { [discriminator]: { enum: own[discriminator]?.enum ?? [] } },
    ...definedOnly({ required: variant.required }),
    ...(foreign.length === 0 ? {} : { not: { anyOf: foreign.map((name) => ({ required: [name] })) } }),
  };
}

function isStrict(schema: ZodSchema): boolean {
  const definition = definitionOf(schema);
  return definition.type === "object" && definition.catchall !== undefined && definitionOf(definition.catchall).type === "never";
}
