/**
 * Resource quantities: cpu "500m", memory "1.5Gi". Exact, immutable, and printed as the API server prints them.
 *
 *     QuantityValue (JSON) → Quantity → toString() → QuantityValue
 */
import { addDecimals, compareDecimals, roundAway, scaleUp, signOf, zeroDecimal } from "./decimal.ts";
import { formatQuantityText, parseQuantityText } from "./quantity-text.ts";
import type { QuantityFormat, QuantityParts } from "./quantity-text.ts";

/** A quantity in JSON. The server writes text; users also write bare numbers. */
export type QuantityValue = string | number;

/** How an integer becomes a quantity. */
export interface QuantityOptions {
  /** Power of ten: -3 for thousandths, 9 for billions. @default 0 */
  readonly scale?: number;
  /** Suffix family. @default "DecimalSI" */
  readonly format?: QuantityFormat;
}

// White space that may be unescaped in JSON text; the server trims before it unescapes, so an escaped tab is not trimmed.
const space = /[ \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** An exact amount and its suffix family. */
export class Quantity {
  static readonly zero: Quantity = new Quantity({ amount: zeroDecimal, format: "DecimalSI" });

  readonly #parts: QuantityParts;
  #text: string | undefined;

  private constructor(parts: QuantityParts) {
    this.#parts = parts;
    this.#text = parts.verbatim;
  }

  /**
   * Parses a quantity. Rounds more than nine decimals up, away from zero; caps a binary one ("Ki") at ±(2^63−1). Throws a
   * ValueSyntaxError with the API server's message.
   */
  static parse(text: string | number | bigint): Quantity {
    return new Quantity(parseQuantityText(String(text)));
  }

  /** Parses a quantity from JSON: like `parse`, but allows surrounding spaces, and `null` is zero. */
  static fromJson(value: QuantityValue | bigint | null): Quantity {
    if (value === null) return Quantity.zero;
    return Quantity.parse(typeof value === "string" ? trimSpace(value) : value);
  }

  /** Creates a quantity from an integer: `Quantity.of(1500n, { scale: -3 })` is 1.5. */
  static of(value: bigint, { scale = 0, format = "DecimalSI" }: QuantityOptions = {}): Quantity {
    return new Quantity({ amount: { unscaled: value, exponent: scale }, format });
  }

  get format(): QuantityFormat {
    return this.#parts.format;
  }

  /** Returns -1, 0 or 1 when this amount is less than, equal to or greater than the other, whatever their formats. */
  compare(other: Quantity): -1 | 0 | 1 {
    return compareDecimals(this.#parts.amount, other.#parts.amount);
  }

  /** Whether the amounts are equal, whatever their formats. */
  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** Returns the exact sum, in this quantity's format; in the other's when this one is zero. Throws a RangeError beyond 10,000 digits. */
  add(other: Quantity): Quantity {
    return new Quantity({
      amount: addDecimals(this.#parts.amount, other.#parts.amount),
      format: this.isZero() ? other.format : this.format,
    });
  }

  /**
   * Returns the exact difference, in this quantity's format; in the other's when this one is zero. Throws a RangeError beyond
   * 10,000 digits.
   */
  sub(other: Quantity): Quantity {
    return this.add(other.neg());
  }

  neg(): Quantity {
    const { unscaled, exponent } = this.#parts.amount;
    return new Quantity({ amount: { unscaled: -unscaled, exponent }, format: this.format });
  }

  /** Returns the exact product with an integer. */
  mul(factor: bigint | number): Quantity {
    const { unscaled, exponent } = this.#parts.amount;
    return new Quantity({ amount: { unscaled: unscaled * BigInt(factor), exponent }, format: this.format });
  }

  isZero(): boolean {
    return this.sign() === 0;
  }

  sign(): -1 | 0 | 1 {
    return signOf(this.#parts.amount);
  }

  /** Returns the amount as an integer, rounded away from zero. */
  value(): bigint {
    return this.scaledValue(0);
  }

  /** Returns the amount in thousandths, rounded away from zero. */
  milliValue(): bigint {
    return this.scaledValue(-3);
  }

  /**
   * Returns the amount in units of `10^scale`, rounded away from zero. Never overflows, unlike the API server's 64 bits. Throws a
   * RangeError beyond 10,000 digits.
   */
  scaledValue(scale: number): bigint {
    const rounded = roundAway(this.#parts.amount, scale);
    if (rounded.unscaled === 0n) return 0n;
    if (rounded.exponent - scale > 10_000) throw new RangeError(`${this.toString()} has too many digits to be written out`);
    return scaleUp(rounded, scale);
  }

  /** Returns the nearest floating-point number; ±Infinity beyond its range. */
  asApproximateNumber(): number {
    const { unscaled, exponent } = this.#parts.amount;
    return Number(`${unscaled}e${exponent}`);
  }

  /** The canonical text; right after `parse` the original text where the API server keeps it ("1.500", "+5"). */
  toString(): string {
    this.#text ??= formatQuantityText(this.#parts);
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Returns -1, 0 or 1 when `a` is less than, equal to or greater than `b`. Throws for an invalid quantity. */
export function compareQuantities(a: QuantityValue, b: QuantityValue): -1 | 0 | 1 {
  return Quantity.fromJson(a).compare(Quantity.fromJson(b));
}

function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
