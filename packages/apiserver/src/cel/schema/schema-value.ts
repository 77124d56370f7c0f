/**
 * Converts data to CEL values: their types follow from the schema rather than from JSON. Parts are converted on demand.
 *
 *     JsonValue, Schema → schemaValue → CelValue
 */
import { getOwn, isJsonObject, parseDurationNanos } from "@drover/machinery";
import type { JsonObject, JsonValue, Schema } from "@drover/machinery";
import { failure, noSuchOverload } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { readTimestamp } from "../value/time.ts";
import { duration } from "../value/value.ts";
import type { CelList, CelMap, CelValue, ListFlavour } from "../value/value.ts";
import { escapeProperty, unescapeProperty } from "./property-name.ts";
import { withObjectFields } from "./schema-type.ts";

type Outcome = CelValue | CelFailure;

/** Returns a value of the schema's type; a failure if the data has another type. */
export function schemaValue(value: JsonValue, schema: Schema): Outcome {
  if (value === null) return schema.nullable === true ? null : failure("invalid data, got null for schema with nullable=false");
  if (schema["x-kubernetes-int-or-string"] === true) {
    return typeof value === "string"
      ? value
      : (wholeNumber(value) ?? failure("invalid data, expected XIntOrString value to be either a string or integer"));
  }
  switch (schema.type) {
    case "object":
      return isJsonObject(value)
        ? objectValue(value, schema)
        : failure("invalid data, expected a map for the provided schema with type=object");
    case "array":
      return Array.isArray(value)
        ? listValue(value, schema)
        : failure("invalid data, expected an array for the provided schema with type=array");
    case "string":
      return typeof value === "string" ? textValue(value, schema.format) : failure("invalid data, expected string");
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? Number(value) : failure("invalid data, expected float");
    case "integer":
      return wholeNumber(value) ?? failure("invalid data, expected int, got float64");
    case "boolean":
      return typeof value === "boolean" ? value : failure("invalid data, expected bool");
    case undefined:
    default:
      return { kind: "unknown", value };
  }
}

function wholeNumber(value: JsonValue): bigint | undefined {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : undefined;
}

function objectValue(object: JsonObject, plain: Schema): CelMap {
  const schema = plain["x-kubernetes-embedded-resource"] === true ? withObjectFields(plain) : plain;
  const { properties, additionalProperties } = schema;
  const schemaOf = (name: string): Schema | undefined =>
    properties === undefined ? (typeof additionalProperties === "object" ? additionalProperties : undefined) : getOwn(properties, name);
  const find = (key: CelValue): Outcome | undefined => {
    if (typeof key !== "string") return noSuchOverload;
    const name = properties === undefined ? key : unescapeProperty(key);
    const value = name === undefined ? undefined : getOwn(object, name);
    if (name === undefined || value === undefined || (properties !== undefined && value === null)) return undefined;
    const inner = schemaOf(name);
    return inner === undefined ? undefined : schemaValue(value, inner);
  };
  const names = Object.keys(object);
  return {
    kind: "map",
    fromSchema: true,
    size: names.length,
    find,
    keys: () =>
      names
        .filter((name) => schemaOf(name) !== undefined)
        .map((name) => (properties === undefined ? name : (escapeProperty(name) ?? name))),
    unknown: () => new Map(names.filter((name) => schemaOf(name) === undefined).map((name) => [name, object[name] ?? null])),
  };
}

function listValue(items: readonly JsonValue[], schema: Schema): CelList | CelFailure {
  const { items: itemSchema } = schema;
  if (itemSchema === undefined) return failure("invalid array type, expected Items with a non-empty Schema");
  return { kind: "list", flavour: flavourOf(schema), size: items.length, at: (index) => schemaValue(items[index] ?? null, itemSchema) };
}

function flavourOf(schema: Schema): ListFlavour {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return "set";
    case "map":
      return { keys: (schema["x-kubernetes-list-map-keys"] ?? []).map((key) => escapeProperty(key) ?? key) };
    case "atomic":
    case undefined:
    default:
      return "atomic";
  }
}

function textValue(text: string, format: string | undefined): Outcome {
  switch (format) {
    case "duration":
      return readAnyDuration(text) ?? failure(`Invalid duration ${text}: time: invalid duration`);
    case "date":
      return readTimestamp(`${text}T00:00:00Z`) ?? failure(`Invalid date formatted string ${text}: cannot parse`);
    case "date-time":
      return readTimestamp(text.toUpperCase().replace(" ", "T")) ?? failure(`Invalid date-time formatted string ${text}: cannot parse`);
    case "byte":
      return bytesValue(text);
    case undefined:
    default:
      return text;
  }
}

/** kube-apiserver decodes bytes with the URL alphabet here although it validates the standard one, so "+" and "/" fail. */
function bytesValue(text: string): Outcome {
  const odd = text.search(/[+/]/);
  return odd < 0
    ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
    : failure(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${odd}`);
}

const units: readonly (readonly [pattern: RegExp, nanos: bigint])[] = [
  [/^(?:ns|nano)/, 1n],
  [/^(?:us|\u00b5s|micro)/, 1000n],
  [/^(?:ms|milli)/, 1_000_000n],
  [/^(?:s$|sec)/, 1_000_000_000n],
  [/^(?:m$|min)/, 60_000_000_000n],
  [/^(?:h$|hr$|hour)/, 3_600_000_000_000n],
  [/^(?:d$|day)/, 86_400_000_000_000n],
  [/^(?:w$|wk$|week)/, 604_800_000_000_000n],
];

/** Parses Go durations, or words: "2 weeks". */
function readAnyDuration(text: string): CelValue | undefined {
  try {
    return duration(parseDurationNanos(text));
  } catch {
    let sum: bigint | undefined;
    for (const [, digits = "0", word = ""] of text.matchAll(/([0-9]{1,18})[\t\n\f\r ]*([A-Za-z\u00b5]+)/g)) {
      const unit = units.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1];
      if (unit !== undefined) sum = (sum ?? 0n) + BigInt(digits) * unit;
    }
    return sum === undefined ? undefined : duration(BigInt.asIntN(64, sum));
  }
}
