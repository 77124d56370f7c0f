/** The keyword `enum`. Like the server, converts a value to the type of each allowed one before comparing. */
import { jsonEqual } from "../json/json-equal.ts";
import type { JsonValue } from "../json/json-value.ts";
import { isInt64 } from "../json/go-print.ts";

/** Whether the value is allowed. Null never is. */
export function matchesEnum(value: JsonValue, allowed: readonly JsonValue[]): boolean {
  return value !== null && (allowed.includes(value) || allowed.some((candidate) => matches(value, candidate)));
}

function matches(value: NonNullable<JsonValue>, candidate: JsonValue): boolean {
  if (candidate === null) return false;
  if (typeof value === "number" || typeof value === "bigint") {
    // 2.5 converted to an integer is 2, and an integer converted to a string is the character with that code.
    if (typeof candidate === "number" || typeof candidate === "bigint")
      return jsonEqual(isInt64(candidate) && typeof value === "number" ? Math.trunc(value) : value, candidate);
    return typeof candidate === "string" && isInt64(value) && candidate === character(value);
  }
  return jsonEqual(value, candidate);
}

function character(code: number | bigint): string {
  const isScalar = code >= 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isScalar ? String.fromCodePoint(Number(code)) : "\ufffd";
}
