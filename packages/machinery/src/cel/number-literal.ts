/** Number literals: signed and unsigned 64-bit integers, and doubles. */
import type { LiteralValue } from "./expression.ts";

/** Returns the number; undefined if out of range. */
export function readNumber(kind: "int" | "uint" | "float", text: string): LiteralValue | undefined {
  if (kind === "float") {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const digits = kind === "uint" ? text.slice(0, -1) : text;
  const value = digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits);
  if (kind === "int") return BigInt.asIntN(64, value) === value ? value : undefined;
  return BigInt.asUintN(64, value) === value ? { uint: value } : undefined;
}
