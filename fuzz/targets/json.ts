/** JSON: both parsers agree with each other and with the engine's, and encoding loses nothing. */
import { JsonError, decodeJson, deepCopy, encodeJson } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { removeManagedFields } from "../../packages/machinery/src/json/managed-fields-cut.ts";
import { attempt, equal, holds } from "../expect.ts";
import { textOf } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

export const jsonTarget: FuzzTarget = {
  name: "json",
  perSecond: 6000,
  tokens: [
    '{"metadata":{"managedFields":[]}}',
    '"managedFields":',
    '"items":',
    '"object":',
    "\\u0000",
    "\\ud800",
    "1e400",
    "-0",
    "1E+5",
    '{"a":1,"a":2}',
  ],
  run(input) {
    const decoded = attempt(() => decodeJson(input), JsonError);
    if ("error" in decoded && decoded.error instanceof JsonError && decoded.error.reason === "encoding") return;
    const text = textOf(input);
    const engine = attempt(() => JSON.parse(text) as unknown, SyntaxError);
    const exact = attempt(() => decodeJson(text, { onDuplicateField: () => {} }), JsonError);
    if ("error" in engine) {
      holds("error" in decoded && "error" in exact, "rejects what JSON.parse rejects");
      return;
    }
    if ("error" in decoded) {
      const { reason } = decoded.error as JsonError;
      holds(reason === "depth" || reason === "number", "accepts what JSON.parse accepts", () => reason);
      holds("error" in exact, "both parsers reject the same texts");
      return;
    }
    equal(rounded(decoded.value), engine.value, "agrees with JSON.parse");
    if ("value" in exact) equal(exact.value, decoded.value, "both parsers agree");
    else holds((exact.error as JsonError).reason === "number", "the exact parser accepts what the other does", () => exact.error.message);
    roundTrip(decoded.value);
    equal(decodeJson(text, { dropManagedFields: true }), removeManagedFields(deepCopy(decoded.value)), "cuts managed fields");
  },
};

function roundTrip(value: JsonValue): void {
  const encoded = attempt(() => encodeJson(value), JsonError);
  if ("error" in encoded) {
    holds(hasInfinity(value), "encodes what was decoded", () => encoded.error.message);
    return;
  }
  const again = decodeJson(encoded.value);
  // A float that happens to be whole, above 2^53, is written like an integer and comes back as one.
  equal(rounded(again), rounded(value), "decodes what was encoded");
  holds(encodeJson(again) === encoded.value, "encodes the same value the same way");
  equal(rounded(decodeJson(encodeJson(value, { sortKeys: true, escapeHtml: true }))), rounded(value), "decodes sorted and escaped JSON");
  equal(deepCopy(value), value, "copies equal values");
}

/** As the engine reads it: integers rounded to floats. */
function rounded(value: JsonValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(rounded);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rounded(member)]));
}

function hasInfinity(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value as Record<string, JsonValue>).some(hasInfinity);
}
