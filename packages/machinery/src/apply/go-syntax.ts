/** A JSON value in Go syntax, `%#v`: `map[string]interface {}{"a":1}`. One message of server-side apply prints values this way. */
import { compareBytes } from "../go/byte-text.ts";
import { formatGoFloat } from "../go/go-float.ts";
import { isInt64 } from "../json/go-print.ts";
import { quoteGo } from "../go/go-quote.ts";
import type { JsonValue } from "../json/json-value.ts";

/** Prints Go's decoded form of the value. */
export function printGoSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return quoteGo(value);
  if (typeof value === "number" || typeof value === "bigint") return isInt64(value) ? String(value) : formatGoFloat(Number(value));
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(printGoSyntax).join(", ")}}`;
  const entries = Object.entries(value).toSorted(([a], [b]) => compareBytes(a, b));
  return `map[string]interface {}{${entries.map(([key, member]) => `${quoteGo(key)}:${printGoSyntax(member)}`).join(", ")}}`;
}
