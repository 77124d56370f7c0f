/**
 * Converts between JSON without a schema and CEL values. Parts of JSON are converted on demand.
 *
 *     JsonValue → fromJson → CelValue;   CelValue → toJson → JsonValue, or a problem
 */
import { getOwn, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { entriesOf, printKey } from "./collections.ts";
import { isFailure } from "./failure.ts";
import { structFieldsOf } from "./struct-value.ts";
import { printDuration, printTimestamp } from "./time.ts";
import { itemsOf, typeName } from "./value.ts";
import type { CelMap, CelValue } from "./value.ts";

const nothing: ReadonlyMap<string, JsonValue> = new Map();

/** Returns the value. Whole numbers are integers. The JSON must not change while the value is in use. */
export function fromJson(value: JsonValue): CelValue {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return { kind: "list", flavour: "plain", size: value.length, at: (index) => fromJson(value[index] ?? null) };
  return mapFromJson(value);
}

function mapFromJson(object: JsonObject): CelMap {
  const names = Object.keys(object);
  return {
    kind: "map",
    fromSchema: false,
    size: names.length,
    find: (key) => {
      const value = typeof key === "string" ? getOwn(object, key) : undefined;
      return value === undefined ? undefined : fromJson(value);
    },
    keys: () => names,
    unknown: () => nothing,
  };
}

/** JSON, or why a value has none. */
export type JsonOutcome = { readonly json: JsonValue } | { readonly problem: string };

/** Converts a value. There is no JSON for types, optionals, objects of libraries, and maps whose keys are not strings. */
export function toJson(value: CelValue): JsonOutcome {
  const fields = structFieldsOf(value);
  if (fields !== undefined) return objectFrom(fields);
  if (typeof value === "bigint") return { json: BigInt(Number(value)) === value ? Number(value) : value };
  if (typeof value !== "object" || value === null) return { json: value };
  if (value instanceof Uint8Array) return { json: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join("")) };
  switch (value.kind) {
    case "uint":
      return toJson(value.value);
    case "duration":
      return { json: printDuration(value) };
    case "timestamp":
      return { json: printTimestamp(value) };
    case "list": {
      const items = itemsOf(value);
      return isFailure(items) ? { problem: items.message } : arrayFrom(items);
    }
    case "map": {
      const entries = entriesOf(value);
      return isFailure(entries) ? { problem: entries.message } : objectFrom(entries);
    }
    case "unknown":
      return { json: value.value };
    case "optional":
    case "type":
    case "object":
    default:
      return { problem: `unsupported type: ${typeName(value)}` };
  }
}

function arrayFrom(items: readonly CelValue[]): JsonOutcome {
  const made: JsonValue[] = [];
  for (const item of items) {
    const outcome = toJson(item);
    if ("problem" in outcome) return outcome;
    made.push(outcome.json);
  }
  return { json: made };
}

function objectFrom(entries: Iterable<readonly [CelValue, CelValue]>): JsonOutcome {
  const made: JsonObject = {};
  for (const [key, value] of entries) {
    if (typeof key !== "string") return { problem: `map key ${JSON.stringify(printKey(key))} is of type ${typeName(key)}, not string` };
    const outcome = toJson(value);
    if ("problem" in outcome) return outcome;
    setOwn(made, key, outcome.json);
  }
  return { json: made };
}
