/**
 * Exact decimal numbers, `unscaled × 10^exponent`, safe for hostile input: no operation takes time proportional to an exponent,
 * only to the digits present.
 */

/** `unscaled × 10^exponent`. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly exponent: number;
}

/** Maximum digits of a sum: 1e999999999 + 1 is a valid sum of valid quantities, and a gigabyte long. */
const sumDigitsMax = 10_000;

/** Zero. */
export const zeroDecimal: Decimal = { unscaled: 0n, exponent: 0 };

/** -1, 0 or 1 for a negative, zero or positive number. */
export function signOf({ unscaled }: Decimal): -1 | 0 | 1 {
  return unscaled < 0n ? -1 : unscaled > 0n ? 1 : 0;
}

/** -1, 0 or 1 when `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign < signOf(b) ? -1 : 1;
  if (sign === 0) return 0;
  if (a.exponent === b.exponent) return order(a.unscaled, b.unscaled);
  const magnitude = digitCount(a.unscaled) + a.exponent - (digitCount(b.unscaled) + b.exponent);
  if (magnitude !== 0) return magnitude > 0 === sign > 0 ? 1 : -1;
  const exponent = Math.min(a.exponent, b.exponent);
  return order(scaleUp(a, exponent), scaleUp(b, exponent));
}

/** Returns the exact sum. Throws a RangeError when the operands are so far apart that it would have thousands of digits. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.unscaled === 0n) return b;
  if (b.unscaled === 0n) return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const digits = Math.max(digitCount(a.unscaled) + a.exponent, digitCount(b.unscaled) + b.exponent) - exponent;
  if (digits > sumDigitsMax)
    throw new RangeError(`the sum of two quantities would have ${digits} digits; more than ${sumDigitsMax} are refused`);
  return { unscaled: scaleUp(a, exponent) + scaleUp(b, exponent), exponent };
}

/** Rounds away from zero to a multiple of `10^exponent`. A multiple stays as it is. */
export function roundAway(value: Decimal, exponent: number): Decimal {
  const drop = exponent - value.exponent;
  if (drop <= 0) return value;
  if (value.unscaled === 0n) return { unscaled: 0n, exponent };
  if (drop > digitCount(value.unscaled)) return { unscaled: BigInt(signOf(value)), exponent };
  const divisor = 10n ** BigInt(drop);
  const quotient = value.unscaled / divisor;
  const unscaled = quotient * divisor === value.unscaled ? quotient : quotient + BigInt(signOf(value));
  return { unscaled, exponent };
}

/** Returns the same number without trailing zeros in `unscaled`. */
export function normalize({ unscaled, exponent }: Decimal): Decimal {
  if (unscaled === 0n) return zeroDecimal;
  if (unscaled % 10n !== 0n) return { unscaled, exponent };
  const digits = unscaled.toString();
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end--;
  return { unscaled: BigInt(digits.slice(0, end)), exponent: exponent + digits.length - end };
}

/** Returns `unscaled` at a smaller (or the same) exponent. */
export function scaleUp({ unscaled, exponent }: Decimal, to: number): bigint {
  return unscaled * 10n ** BigInt(exponent - to);
}

/** Returns the number of decimal digits of an integer. */
export function digitCount(unscaled: bigint): number {
  const digits = unscaled.toString();
  return unscaled < 0n ? digits.length - 1 : digits.length;
}

function order(a: bigint, b: bigint): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
