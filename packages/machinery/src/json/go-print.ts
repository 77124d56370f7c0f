/** JSON values in error messages as Go prints them: `%v` and `%T` of its decoded values. */
import type { DeepReadonly } from "./readonly.ts";
import type { JsonValue } from "./json-value.ts";
import { compareBytes } from "../go/byte-text.ts";
import { formatGoFloat } from "../go/go-float.ts";

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Whether Go's decoder holds this JSON number as a 64-bit integer and not as a float. */
export function isInt64(value: number | bigint): boolean {
  return typeof value === "number" ? Number.isSafeInteger(value) : value >= int64Min && value <= int64Max;
}

/** Returns the Go type of a decoded JSON value: `%T`. */
export function goType(value: DeepReadonly<JsonValue>): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "bigint") return isInt64(value) ? "int64" : "float64";
  if (value === null) return "<nil>";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

/** Prints a JSON value in Go's default format, `%v`: `map[a:1 b:[x y]]`, keys in byte order. */
export function printGo(value: DeepReadonly<JsonValue>): string {
  if (value === null) return "<nil>";
  if (typeof value === "number" || typeof value === "bigint") return isInt64(value) ? String(value) : formatGoFloat(Number(value));
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${(value as readonly DeepReadonly<JsonValue>[]).map(printGo).join(" ")}]`;
  const entries = Object.entries(value).toSorted(([a], [b]) => compareBytes(a, b));
  return `map[${entries.map(([key, entry]) => `${key}:${printGo(entry)}`).join(" ")}]`;
}
