/** JSON values in error messages, the way Go prints them: `%v` and `%T` of what its decoder makes of JSON. */
import { formatGoFloat } from "../runtime/go-float.ts";
import type { JsonValue } from "../wire/json-value.ts";
import type { DeepReadonly } from "./readonly.ts";

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** The name of the Go type a JSON value has after decoding: `%T`. */
export function goType(value: DeepReadonly<JsonValue>): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int64" : "float64";
  if (typeof value === "bigint") return value >= int64Min && value <= int64Max ? "int64" : "float64";
  if (value === null) return "<nil>";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

/** A JSON value in Go's default format, `%v`: `map[a:1 b:[x y]]`, with keys in order. */
export function printGo(value: DeepReadonly<JsonValue>): string {
  if (value === null) return "<nil>";
  if (typeof value === "number" || typeof value === "bigint") return goType(value) === "int64" ? String(value) : formatGoFloat(Number(value));
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${(value as readonly DeepReadonly<JsonValue>[]).map(printGo).join(" ")}]`;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, entry]) => `${key}:${printGo(entry)}`).join(" ")}]`;
}
