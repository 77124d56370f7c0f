/**
 * JSON as Go's encoder writes it: keys in byte order, `<`, `>` and `&` escaped, no spaces. The server prints values in messages
 * this way unless they are a plain string, number or boolean.
 */
import { compareBytes } from "../go/byte-text.ts";

const escapes: ReadonlyMap<string, string> = new Map([
  ["<", "\\u003c"],
  [">", "\\u003e"],
  ["&", "\\u0026"],
  ["\u2028", "\\u2028"],
  ["\u2029", "\\u2029"],
]);

/** Prints a JSON value; undefined members and functions are left out of objects and are `null` in lists. */
export function printGoJson(value: unknown): string {
  if (typeof value === "string") return printString(value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : JSON.stringify(value);
  if (typeof value === "bigint") return printBigint(value);
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null ? printComposite(value) : "null";
}

function printComposite(value: object): string {
  if (Array.isArray(value)) return `[${value.map(printGoJson).join(",")}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== "function");
  return `{${members
    .toSorted(([a], [b]) => compareBytes(a, b))
    .map(([key, member]) => `${printString(key)}:${printGoJson(member)}`)
    .join(",")}}`;
}

function printString(text: string): string {
  return JSON.stringify(text.replaceAll(/\p{Cs}/gu, "\ufffd")).replaceAll(/[<>&\u2028\u2029]/g, (char) => escapes.get(char) ?? char);
}

// Go keeps integers of up to 64 bits exactly, larger ones as floats.
function printBigint(value: bigint): string {
  return BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value ? String(value) : JSON.stringify(Number(value));
}
