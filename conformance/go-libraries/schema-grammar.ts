/** Random schemas, and values that fit, nearly fit or do not fit them: the questions of the schema suites. */
import type { JsonObject, JsonValue, Schema, UncheckedSchema } from "@drover/machinery";

/** A seeded random source, so that a failing question can be repeated. */
export class Choice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  int(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }
}

const names = ["a", "b", "c", "spec", "kind", "toString", "x-y"] as const;
const texts = [
  "",
  "a",
  "b",
  "abc",
  "aé",
  "😀😀",
  "10.0.0.1",
  "2020-01-02",
  'a"b\\',
  "foo-bar",
  "1h",
  "a@b.c",
  "<&>",
  "long text with spaces",
  "\u0001",
] as const;
const numbers = [0, 1, -1, 2, 3, 5, 7, 10, 2.5, 0.5, -3.5, 3.0000000001, 1e6, 2147483647, 2147483648, -2147483649, 1e21, 4e38] as const;
const bounds = [0, 1, 2, 3, 5, -1, 2.5, 0.5, 10, 1000000, 3000000000] as const;
const patterns = ["^a", "b$", "^[a-z]+$", "é", "^.{2}$"] as const;
const formats = [
  "int32",
  "int64",
  "float",
  "double",
  "date",
  "ipv4",
  "duration",
  "byte",
  "uuid",
  "unknown",
  "password",
  "k8s-short-name",
] as const;
const types = ["string", "integer", "number", "boolean", "object", "array"] as const;

export interface SchemaShape {
  /** Maximum depth. */
  readonly depth: number;
  /** Whether it follows the rules for custom resources; otherwise keywords are combined at random. */
  readonly structural: boolean;
}

/** A schema of any type. */
export function randomSchema(choice: Choice, { depth, structural }: SchemaShape, type: string = choice.pick(types)): Schema {
  const schema: Record<string, unknown> = {};
  if (depth > 0 && choice.chance(0.08)) schema["x-kubernetes-int-or-string"] = true;
  else if (structural || choice.chance(0.8)) schema["type"] = type;
  if (choice.chance(0.15)) schema["nullable"] = true;
  if (choice.chance(0.15)) schema["enum"] = Array.from({ length: 1 + choice.int(3) }, () => randomScalar(choice));
  if (choice.chance(0.2)) schema["format"] = choice.pick(formats);
  addBounds(choice, schema, structural ? type : choice.pick(types));
  if ((type === "object" || !structural) && depth > 0) addFields(choice, schema, { depth, structural });
  if (type === "array") addItems(choice, schema, { depth, structural });
  if (depth > 0 && choice.chance(0.3)) addJunctors(choice, schema, { depth: depth - 1, structural });
  return schema;
}

function addBounds(choice: Choice, schema: Record<string, unknown>, type: string): void {
  const some = (key: string, value: () => unknown): void => {
    if (choice.chance(0.25)) schema[key] = value();
  };
  switch (type) {
    case "string":
      some("minLength", () => choice.int(4));
      some("maxLength", () => choice.int(6));
      some("pattern", () => choice.pick(patterns));
      break;
    case "integer":
    case "number":
      for (const key of ["minimum", "maximum"]) some(key, () => choice.pick(bounds));
      for (const key of ["exclusiveMinimum", "exclusiveMaximum"]) some(key, () => true);
      some("multipleOf", () => choice.pick(bounds));
      break;
    case "array":
      some("minItems", () => choice.int(3));
      some("maxItems", () => choice.int(4));
      break;
    case "object":
      some("minProperties", () => choice.int(3));
      some("maxProperties", () => choice.int(4));
      some("required", () => [choice.pick(names), choice.pick(names)]);
      break;
    default:
  }
}

function addFields(choice: Choice, schema: Record<string, unknown>, { depth, structural }: SchemaShape): void {
  const child = (): Schema => {
    const sub = randomSchema(choice, { depth: depth - 1, structural });
    return choice.chance(0.25) ? { ...sub, default: randomValue(choice, sub) } : sub;
  };
  if (choice.chance(0.1)) schema["x-kubernetes-preserve-unknown-fields"] = true;
  if (choice.chance(0.25)) schema["additionalProperties"] = choice.chance(0.7) ? child() : choice.chance(0.5);
  else schema["properties"] = Object.fromEntries(Array.from({ length: 1 + choice.int(3) }, () => [choice.pick(names), child()]));
}

function addItems(choice: Choice, schema: Record<string, unknown>, { depth, structural }: SchemaShape): void {
  const listType = choice.int(5);
  if (listType === 0) {
    schema["items"] = {
      ...randomSchema(choice, { depth: 1, structural }, "object"),
      properties: { a: { type: "string" }, b: { type: "integer" }, c: { type: "boolean" } },
    };
    schema["x-kubernetes-list-type"] = "map";
    schema["x-kubernetes-list-map-keys"] = choice.chance(0.5) ? ["a"] : ["a", "b"];
    return;
  }
  if (listType === 1) schema["x-kubernetes-list-type"] = "set";
  if (structural || choice.chance(0.9)) schema["items"] = randomSchema(choice, { depth: Math.max(depth - 1, 0), structural });
}

function addJunctors(choice: Choice, schema: Record<string, unknown>, shape: SchemaShape): void {
  const branch = (): Schema => {
    const { type: _type, ...rest } = randomSchema(choice, shape);
    if (choice.chance(0.5)) return { ...rest, type: choice.pick(types) };
    return rest;
  };
  const key = choice.pick(["allOf", "anyOf", "oneOf", "not"] as const);
  schema[key] = key === "not" ? branch() : Array.from({ length: 1 + choice.int(3) }, branch);
}

/** A value that follows the structure of a schema most of the time. */
export function randomValue(choice: Choice, schema: Schema, depth = 0): JsonValue {
  if (choice.chance(0.06)) return null;
  if (choice.chance(0.06)) return randomJson(choice, 2);
  if (schema.enum !== undefined && choice.chance(0.5)) return choice.pick(schema.enum);
  switch (schema.type ?? "") {
    case "object":
      return randomObject(choice, schema, depth);
    case "array":
      return Array.from({ length: choice.int(4) }, () => randomValue(choice, schema.items ?? {}, depth + 1));
    case "string":
      return choice.pick(texts);
    case "integer":
      return choice.chance(0.9) ? Math.trunc(choice.pick(numbers.slice(0, 17))) : choice.pick(numbers);
    case "number":
      return choice.pick(numbers);
    case "boolean":
      return choice.chance(0.5);
    default:
      return schema.properties === undefined ? randomScalar(choice) : randomObject(choice, schema, depth);
  }
}

function randomObject(choice: Choice, schema: Schema, depth: number): JsonObject {
  const object: JsonObject = {};
  const { additionalProperties } = schema;
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (choice.chance(0.8)) object[name] = randomValue(choice, property, depth + 1);
  if (typeof additionalProperties === "object")
    for (let i = choice.int(3); i > 0; i--) object[choice.pick(names)] = randomValue(choice, additionalProperties, depth + 1);
  if (choice.chance(0.2)) object[choice.pick([...names, "extra", "metadata", "apiVersion"])] = randomJson(choice, 2);
  return object;
}

function randomScalar(choice: Choice): JsonValue {
  return choice.pick<JsonValue>([choice.pick(texts), choice.pick(numbers), choice.int(5), choice.chance(0.5)]);
}

/** Any JSON value. */
export function randomJson(choice: Choice, depth: number): JsonValue {
  if (depth === 0 || choice.chance(0.5)) return choice.chance(0.1) ? null : randomScalar(choice);
  if (choice.chance(0.4)) return Array.from({ length: choice.int(3) }, () => randomJson(choice, depth - 1));
  return Object.fromEntries(Array.from({ length: choice.int(3) }, () => [choice.pick([...names, "extra"]), randomJson(choice, depth - 1)]));
}

/** A slightly changed value, so that updates resemble what was stored. */
export function changed(choice: Choice, value: JsonValue, schema: Schema): JsonValue {
  if (choice.chance(0.15)) return randomValue(choice, schema);
  if (Array.isArray(value)) {
    const list = value.map((item) => (choice.chance(0.7) ? item : changed(choice, item, schema.items ?? {})));
    return choice.chance(0.2) ? list.toReversed() : list;
  }
  if (typeof value !== "object" || value === null) return value;
  const { additionalProperties } = schema;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const sub = schema.properties?.[name] ?? (typeof additionalProperties === "object" ? additionalProperties : {});
      return [name, choice.chance(0.6) ? field : changed(choice, field, sub)];
    }),
  );
}

const oddities: readonly Readonly<Record<string, unknown>>[] = [
  { $ref: "#/x" },
  { id: "x" },
  { $schema: "x" },
  { definitions: { a: { type: "string", uniqueItems: true } } },
  { dependencies: { a: ["b"], c: { type: "nope" } } },
  { patternProperties: { a: {} } },
  { additionalItems: true },
  { uniqueItems: true },
  { type: "null" },
  { type: "nope" },
  { type: "" },
  { nullable: true },
  { "x-kubernetes-preserve-unknown-fields": false },
  { "x-kubernetes-preserve-unknown-fields": true },
  { "x-kubernetes-int-or-string": true },
  { "x-kubernetes-embedded-resource": true },
  { "x-kubernetes-embedded-resource": true, type: "object" },
  { "x-kubernetes-list-type": "atomic" },
  { "x-kubernetes-list-type": "set" },
  { "x-kubernetes-list-type": "odd" },
  { "x-kubernetes-list-map-keys": ["a", "a"] },
  { "x-kubernetes-list-map-keys": [] },
  { "x-kubernetes-map-type": "atomic" },
  { "x-kubernetes-map-type": "odd" },
  { items: [{ type: "string" }] },
  { items: [] },
  { items: {} },
  { additionalProperties: false },
  { additionalProperties: {} },
  { title: "t" },
  { description: "d" },
  { default: 5 },
  { default: {} },
  { default: { a: { extra: 1 }, metadata: { name: 5 } } },
  { default: { kind: "K", apiVersion: "a/b/c", metadata: { name: "a/b", foo: 1 } } },
  { required: [] },
  { allOf: [] },
  { anyOf: [{ type: "integer" }, { type: "string" }] },
  { allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { minLength: 1 }] },
  { anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }] },
  { properties: { metadata: { type: "object" } } },
  { properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 5, default: "x" } } } } },
  {
    properties: {
      metadata: { type: "object", properties: { labels: { type: "object", additionalProperties: { type: "string", default: "x" } } } },
    },
  },
  { properties: { metadata: { description: "d" }, kind: { type: "integer" }, apiVersion: {} } },
  {
    "x-kubernetes-embedded-resource": true,
    type: "object",
    properties: {
      metadata: { type: "object", properties: { name: { type: "string", default: "a/b" }, labels: { type: "object", default: { a: 1 } } } },
      kind: { type: "string", default: "Kk" },
    },
  },
  { pattern: "(" },
  { externalDocs: { url: "u" } },
  { example: { a: 1 } },
  { not: {} },
  { not: { properties: { metadata: {} } } },
];

/** A nearly valid schema of a custom resource, with a few random errors. */
export function randomDefinition(choice: Choice): UncheckedSchema {
  const schema = randomSchema(choice, { depth: 2, structural: choice.chance(0.8) }, "object") as unknown as Record<string, unknown>;
  if (choice.chance(0.7)) for (const key of ["additionalProperties", "nullable", "enum", "default"]) delete schema[key];
  return odd(choice, schema, 0.15) as UncheckedSchema;
}

function odd(choice: Choice, value: unknown, probability: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => odd(choice, item, probability));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key of ["properties"])
    if (copy[key] !== undefined)
      copy[key] = Object.fromEntries(Object.entries(copy[key] as object).map(([name, sub]) => [name, odd(choice, sub, probability)]));
  for (const key of ["items", "additionalProperties", "allOf", "anyOf", "oneOf", "not"])
    if (copy[key] !== undefined) copy[key] = odd(choice, copy[key], probability);
  if (choice.chance(probability)) for (const [key, added] of Object.entries(choice.pick(oddities))) copy[key] = added;
  return copy;
}
