/** How the server prints numbers and lists inside the texts of its schema errors: as Go's `%v` does. */
import { compareBytes } from "../field/byte-text.ts";
import { formatGoFloat } from "../runtime/go-float.ts";
import type { JsonValue } from "../wire/json-value.ts";

/** A number as decoded from JSON: whole numbers of 64 bits in full, all others as floats. */
function goNumber(value: number | bigint): string {
  return isInt64(value) ? String(value) : formatGoFloat(Number(value));
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Whether the server holds this JSON number as a 64-bit integer and not as a float. */
export function isInt64(value: number | bigint): boolean {
  return typeof value === "number" ? Number.isSafeInteger(value) : value >= int64Min && value <= int64Max;
}

/** A JSON value inside a list or alone as Go's `%v` prints it; the server tells two messages apart by this text. */
export function goValue(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number" || typeof value === "bigint") return goNumber(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map(goValue).join(" ")}]`;
  const keys = Object.keys(value).toSorted(compareBytes);
  return `map[${keys.map((key) => `${key}:${goValue(value[key] ?? null)}`).join(" ")}]`;
}
