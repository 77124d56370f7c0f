/** 64-bit integers as text in labels. */

/** Parses digits with or without a sign; a bigint only where a number would lose digits. Undefined for anything else or out of range. */
export function parseInt64(text: string): number | bigint | undefined {
  const signed = text.charCodeAt(0) === 0x2b || text.charCodeAt(0) === 0x2d;
  const start = signed ? 1 : 0;
  if (text.length === start) return undefined;
  let value = 0;
  for (let index = start; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  const negative = text.charCodeAt(0) === 0x2d;
  if (value <= Number.MAX_SAFE_INTEGER) return negative ? -value : value;
  const exact = negative ? -BigInt(text.slice(1)) : BigInt(text.slice(start));
  return BigInt.asIntN(64, exact) === exact ? exact : undefined;
}
