/** A field that is an integer or a text: a port by number or name, a count or a percentage. */
import { quoteGo } from "../go/go-quote.ts";
import { ValueSyntaxError } from "./value-syntax-error.ts";

/** Such a field in JSON. */
export type IntOrString = number | string;

const integer = /^[+-]?[0-9]+$/;

/** Returns a number if the text is an int32, otherwise the text itself. */
export function parseIntOrString(text: string): IntOrString {
  const value = readInteger(text, 32);
  return typeof value === "bigint" ? Number(value) : text;
}

/** Whether this is digits and a percent sign, "25%", the only percentage that fields accept. */
export function isPercent(value: IntOrString): boolean {
  return typeof value === "string" && /^[0-9]+%$/.test(value);
}

/**
 * Returns a count, or the percentage of a total as a count, rounded as requested. Throws for a text without a percent sign and for
 * a missing value, with the API server's messages.
 */
export function scaledValueFromIntOrPercent(
  value: IntOrString | undefined,
  total: number,
  { round }: { readonly round: "up" | "down" },
): number {
  if (value === undefined) throw new ValueSyntaxError("nil value for IntOrString");
  if (typeof value === "number") return value;
  if (!value.endsWith("%")) throw new ValueSyntaxError("invalid value for IntOrString: invalid type: string is not a percentage");
  const digits = value.slice(0, -1);
  const percent = readInteger(digits, 64);
  if (typeof percent === "string") {
    throw new ValueSyntaxError(
      `invalid value for IntOrString: invalid value ${quoteGo(value)}: strconv.Atoi: parsing ${quoteGo(digits)}: ${percent}`,
    );
  }
  const scaled = (Number(percent) * total) / 100;
  return (round === "up" ? Math.ceil(scaled) : Math.floor(scaled)) + 0; // + 0: no negative zero
}

/** Parses a decimal integer of so many bits, or returns what is wrong with it in Go's words. */
function readInteger(text: string, bits: 32 | 64): bigint | "invalid syntax" | "value out of range" {
  if (!integer.test(text)) return "invalid syntax";
  if (text.replace(/^[+-]?0*/, "").length > 19) return "value out of range";
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(bits, value) === value ? value : "value out of range";
}
