/**
 * Random values that a schema accepts: with fields present and absent, at the limits and between.
 *
 *     Schema, Random → ObjectGenerator.object → a valid object
 */
import { compileRe2, compileSchema, isJsonObject, printFieldError, validate } from "@drover/machinery";
import type { CompiledSchema, JsonObject, JsonValue, Random, Re2, Schema } from "@drover/machinery";
import { patternText } from "./pattern-text.ts";

/** Attempts to generate a valid object before the schema counts as too hard. */
const attemptsMax = 200;
const itemsMax = 3;

const formats: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2026-01-01T00:00:00Z", "1999-12-31T23:59:59Z"],
  date: ["2026-01-01"],
  duration: ["10m", "1h30m0s"],
  email: ["a@example.com"],
  hostname: ["a.example.com"],
  ipv4: ["10.0.0.1"],
  ipv6: ["2001:db8::1"],
  cidr: ["10.0.0.0/8"],
  mac: ["00:00:5e:00:53:01"],
  uri: ["https://example.com/a"],
  url: ["https://example.com/a"],
  uuid: ["9d8b2c1e-4f3a-4b6c-8d7e-1a2b3c4d5e6f"],
  uuid4: ["9d8b2c1e-4f3a-4b6c-8d7e-1a2b3c4d5e6f"],
  byte: ["YWJj", ""],
  password: ["secret"],
  "k8s-short-name": ["a"],
  "k8s-long-name": ["a.example.com"],
};

export class ObjectGenerator {
  readonly #schema: Schema;
  readonly #compiled: CompiledSchema;
  readonly #random: Random;
  /** Compiled patterns: most objects need the same ones. */
  readonly #patterns = new Map<string, Re2>();

  constructor(schema: Schema, random: Random) {
    this.#schema = schema;
    this.#compiled = compileSchema(schema);
    this.#random = random;
  }

  /** Returns a valid object. Throws if the schema is too hard to satisfy, and says where the last attempt failed. */
  object(): JsonObject {
    let problem = "it is not an object";
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const value = this.#value(this.#schema);
      if (!isJsonObject(value)) continue;
      const [error] = validate(value, this.#compiled);
      if (error === undefined) return value;
      problem = printFieldError(error);
    }
    throw new Error(`cannot generate an object for this schema: ${problem}`);
  }

  #value(schema: Schema): JsonValue {
    const { enum: choices, anyOf, oneOf, allOf } = schema;
    if (choices !== undefined && choices.length > 0) return this.#pick(choices);
    const branches = anyOf ?? oneOf;
    if (branches !== undefined && branches.length > 0) return this.#value(merged(without(schema), this.#pick(branches)));
    if (allOf !== undefined && allOf.length > 0) return this.#value(allOf.reduce(merged, { ...schema, allOf: [] }));
    if (schema.nullable === true && this.#random.int(6) === 0) return null;
    if (schema["x-kubernetes-int-or-string"] === true) return this.#random.int(2) === 0 ? this.#random.int(100) : "10%";
    if (schema.type === "string") return this.#text(schema);
    if (schema.type === "integer" || schema.type === "number") return this.#number(schema);
    if (schema.type === "boolean") return this.#random.int(2) === 0;
    if (schema.type === "array") return this.#list(schema);
    return this.#object(schema);
  }

  #object({ properties = {}, required = [], additionalProperties, minProperties = 0, ...schema }: Schema): JsonObject {
    const object: Record<string, JsonValue> = {};
    for (const [name, property] of Object.entries(properties))
      if (required.includes(name) || this.#random.int(3) > 0) object[name] = this.#value(property);
    const isOpen = typeof additionalProperties === "object" || schema["x-kubernetes-preserve-unknown-fields"] === true;
    const entries = isOpen ? Math.max(minProperties, this.#random.int(itemsMax)) : 0;
    for (let entry = 0; entry < entries; entry++)
      object[`key-${entry}`] = typeof additionalProperties === "object" ? this.#value(additionalProperties) : "any";
    return object;
  }

  #list({ items = {}, minItems = 0, maxItems = Infinity, ...schema }: Schema): JsonValue {
    const length = Math.min(maxItems, minItems + this.#random.int(itemsMax));
    const list = Array.from({ length }, () => this.#value(items));
    const keys = schema["x-kubernetes-list-map-keys"] ?? [];
    const isSet = schema["x-kubernetes-list-type"] === "set" || schema.uniqueItems === true;
    if (keys.length === 0 && !isSet) return list;
    const keyOf = (item: JsonValue): string => JSON.stringify(isJsonObject(item) && !isSet ? keys.map((key) => item[key] ?? null) : item);
    return [...new Map(list.map((item) => [keyOf(item), item])).values()];
  }

  #number({ type, minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false, multipleOf = 1 }: Schema): number {
    const step = type === "integer" ? Math.max(1, multipleOf) : multipleOf;
    const low = minimum === undefined ? Math.min(-3 * step, maximum ?? 0) : minimum + (exclusiveMinimum ? step : 0);
    const high = maximum === undefined ? Math.max(low, 0) + 1000 * step : maximum - (exclusiveMaximum ? step : 0);
    const first = Math.ceil(low / step) * step;
    const last = Math.floor(high / step) * step;
    const edges = [first, last, 0, step].filter((value) => value >= low && value <= high);
    if (this.#random.int(3) === 0 && edges.length > 0) return this.#pick(edges);
    const steps = Math.max(0, Math.min(Math.floor((last - first) / step), 2 ** 31));
    const value = first + this.#random.int(steps + 1) * step;
    return type === "number" && multipleOf === 1 && value < last && this.#random.int(3) === 0 ? value + 0.5 : value;
  }

  #text({ pattern, format, minLength = 0, maxLength = Infinity }: Schema): string {
    const isFitting = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
    if (pattern !== undefined) {
      const matcher = this.#patterns.get(pattern) ?? compileRe2(pattern);
      this.#patterns.set(pattern, matcher);
      // Without a match the object is invalid, and the error names the field.
      return patternText(pattern, this.#random, (text) => isFitting(text) && matcher.test(text)) ?? "";
    }
    const known = format === undefined ? undefined : formats[format];
    if (known !== undefined) return this.#pick(known);
    const text = this.#pick(["", "a", "web", "shop-2", "ä ö", "10", "true", "a/b.c:1"]);
    return text.padEnd(minLength, "x").slice(0, maxLength);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random.int(list.length)] as T;
  }
}

function without({ anyOf: _, oneOf: __, ...schema }: Schema): Schema {
  return schema;
}

/** The rules of both schemas; where both say something about a field, about the field too. */
function merged(schema: Schema, branch: Schema): Schema {
  const properties = { ...schema.properties };
  for (const [name, property] of Object.entries(branch.properties ?? {})) {
    const known = properties[name];
    properties[name] = known === undefined ? property : merged(known, property);
  }
  return {
    ...schema,
    ...branch,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    required: [...(schema.required ?? []), ...(branch.required ?? [])],
  };
}
