/**
 * Converts a zod schema to the structural schema of a custom resource, such that both accept the same objects. Reports
 * everything that cannot be expressed at once, with path and alternative.
 *
 *     z.object({ replicas: z.int().min(0).default(1) })
 *       → { type: "object", properties: { replicas: { type: "integer", minimum: 0, default: 1, … } } }
 *
 * One difference remains: zod counts UTF-16 units in lengths, the server counts characters.
 */
import { isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonValue, Schema } from "@drover/machinery";
import { enumValues, literalSchema, unionSchema } from "./choice-schema.ts";
import { numberSchema } from "./number-schema.ts";
import { objectSchema, recordSchema } from "./object-schema.ts";
import type { Refusal } from "./refusal.ts";
import type { SchemaWalk } from "./schema-walk.ts";
import { templateSchema, textSchema } from "./text-schema.ts";
import { checksOf, definitionOf, metaOf } from "./zod-node.ts";
import type { ZodSchema } from "./zod-schema.ts";

/** The schema, and what could not be expressed; it is equivalent to the zod schema only if there are no refusals. */
export interface ConvertedSchema {
  readonly schema: Schema;
  readonly refusals: readonly Refusal[];
}

/** Converts a schema. @param path - path of the value in an object: "spec" */
export function schemaFromZod(schema: ZodSchema, path: string): ConvertedSchema {
  const refusals: Refusal[] = [];
  const convert = (part: ZodSchema, at: string): Schema => {
    const walk: SchemaWalk = {
      path: at,
      into: (inner, step) => convert(inner, at + step),
      refuse: (refusal) => {
        refusals.push({ path: at, ...refusal });
        return { "x-kubernetes-preserve-unknown-fields": true };
      },
    };
    return withMeta(part, withoutCode(part, shapeOf(part, walk), walk), walk);
  };
  return { schema: convert(schema, path), refusals };
}

function shapeOf(schema: ZodSchema, walk: SchemaWalk): Schema {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "string":
      return textSchema(schema, walk);
    case "template_literal":
      return templateSchema(schema, walk);
    case "number":
      return numberSchema(schema, walk);
    case "boolean":
      return { type: "boolean" };
    case "literal":
      return literalSchema(definition.values, walk);
    case "enum":
      return literalSchema(enumValues(definition.entries), walk);
    case "object":
      return objectSchema(definition.shape, definition.catchall, walk);
    case "record":
      return recordSchema(definition.keyType, definition.valueType, "partial" in definition && definition.partial, walk);
    case "array":
      return arraySchema(schema, walk.into(definition.element, "[]"));
    case "union":
      return unionSchema(definition.options, "discriminator" in definition ? String(definition.discriminator) : undefined, walk);
    case "intersection":
      return bothSchema(walk.into(definition.left, ""), walk.into(definition.right, ""), walk);
    case "any":
    case "unknown":
      return { "x-kubernetes-preserve-unknown-fields": true };
    case "nullable":
      return { ...walk.into(definition.innerType, ""), nullable: true };
    case "optional":
    case "nonoptional":
    case "readonly":
      return walk.into(definition.innerType, "");
    case "default":
    case "prefault":
      return withDefault(walk.into(definition.innerType, ""), definition.defaultValue, walk);
    case "bigint":
    case "catch":
    case "custom":
    case "date":
    case "file":
    case "function":
    case "lazy":
    case "map":
    case "nan":
    case "never":
    case "null":
    case "pipe":
    case "promise":
    case "set":
    case "success":
    case "symbol":
    case "transform":
    case "tuple":
    case "undefined":
    case "void":
    default:
      return walk.refuse(
        unsayable[definition.type] ?? {
          what: `z.${definition.type}()`,
          why: "cannot be represented in JSON",
          instead: "z.unknown(), and the check in the reconcile",
        },
      );
  }
}

const code = "is JavaScript, which the server cannot run";
const unsayable: Readonly<Record<string, Omit<Refusal, "path">>> = {
  date: { what: "z.date()", why: "cannot be represented in JSON", instead: "z.iso.datetime(), which is text" },
  bigint: { what: "z.bigint()", why: "cannot be represented in JSON", instead: "z.int(), or z.string() for numbers beyond 2^53" },
  tuple: {
    what: "z.tuple()",
    why: "gives each item of a list its own type, but the server knows one type for all items",
    instead: "z.object with named fields, or z.array",
  },
  map: { what: "z.map()", why: "cannot be represented in JSON", instead: "z.record(z.string(), …)" },
  set: { what: "z.set()", why: "cannot be represented in JSON", instead: 'z.array(…).meta({ "x-kubernetes-list-type": "set" })' },
  lazy: {
    what: "z.lazy() or z.json()",
    why: "is recursive, which the schema of a custom resource cannot be",
    instead: "z.unknown() where the recursion starts",
  },
  pipe: {
    what: "transform(), pipe() or a codec",
    why: code,
    instead: "the schema of the stored value, and the conversion in the reconcile",
  },
  transform: { what: "z.transform()", why: code, instead: "the schema of the stored value, and the conversion in the reconcile" },
  custom: { what: "z.custom() or z.instanceof()", why: code, instead: "z.unknown(), and the check in the reconcile" },
  catch: { what: "catch()", why: "replaces invalid values, which the server rejects", instead: "default() for missing values" },
  null: { what: "z.null()", why: "is dropped by the server before validation", instead: "optional(), or nullable() on a type" },
  undefined: { what: "z.undefined()", why: "cannot be represented in JSON", instead: "optional()" },
  never: { what: "z.never()", why: "can never have a value", instead: "leaving the field out" },
};

function arraySchema(schema: ZodSchema, items: Schema): Schema {
  let minItems = 0;
  let maxItems = Infinity;
  for (const check of checksOf(schema)) {
    if (check.check === "min_length") minItems = Math.max(minItems, check.minimum);
    if (check.check === "max_length") maxItems = Math.min(maxItems, check.maximum);
    if (check.check === "length_equals") [minItems, maxItems] = [Math.max(minItems, check.length), Math.min(maxItems, check.length)];
  }
  return { type: "array", items, ...(minItems > 0 ? { minItems } : {}), ...(maxItems < Infinity ? { maxItems } : {}) };
}

/** Merges two objects whose common fields have equal schemas. */
function bothSchema(left: Schema, right: Schema, walk: SchemaWalk): Schema {
  const shared = Object.keys(left.properties ?? {}).find(
    (name) =>
      Object.hasOwn(right.properties ?? {}, name) &&
      !jsonEqual(left.properties?.[name] as JsonValue, right.properties?.[name] as JsonValue),
  );
  const isPlain = [left, right].every(
    (side) => side.type === "object" && Object.keys(side).every((keyword) => ["type", "properties", "required"].includes(keyword)),
  );
  if (!isPlain || shared !== undefined) {
    return walk.refuse({
      what: "z.intersection",
      why: shared === undefined ? "works only for plain objects" : `has two schemas for the field ${shared}`,
      instead: "z.object(…).extend(…)",
    });
  }
  const required = [...new Set([...(left.required ?? []), ...(right.required ?? [])])];
  return { type: "object", properties: { ...left.properties, ...right.properties }, ...(required.length > 0 ? { required } : {}) };
}

function withDefault(schema: Schema, value: unknown, walk: SchemaWalk): Schema {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined)
    return walk.refuse({
      what: `default(${String(value)})`,
      why: "cannot be represented in JSON",
      instead: "a default that is, or optional()",
    });
  return { ...schema, default: JSON.parse(text) as JsonValue };
}

/** Accepts a JavaScript check only if the author adds a CEL rule for the server. */
function withoutCode(schema: ZodSchema, converted: Schema, walk: SchemaWalk): Schema {
  if (!checksOf(schema).some(({ check }) => check === "custom") || metaOf(schema)["x-kubernetes-validations"] !== undefined)
    return converted;
  return walk.refuse({
    what: "refine() or check()",
    why: code,
    instead: `the same in CEL: .meta({ "x-kubernetes-validations": [{ rule: "self.size() > 0", message: "…" }] }), beside it or in its place`,
  });
}

const words: ReadonlySet<string> = new Set(["title", "description", "example"]);

/** Adds metadata of the schema: descriptions for people, and x-kubernetes-… keywords. */
function withMeta(schema: ZodSchema, converted: Schema, { refuse }: SchemaWalk): Schema {
  const meta = Object.entries(metaOf(schema)).filter(([name]) => words.has(name) || name.startsWith("x-kubernetes-"));
  if (meta.length === 0) return converted;
  const text = JSON.stringify(Object.fromEntries(meta));
  const said = JSON.parse(text) as JsonValue;
  return isJsonObject(said)
    ? { ...converted, ...said }
    : refuse({ what: "meta()", why: "cannot be represented in JSON", instead: "plain values" });
}
