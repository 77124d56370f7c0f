/**
 * Quantities as text: "500m", "1.5Gi", "12e6". Parsing and formatting follow the API server, quirks included, because the result is
 * compared with, and stored beside, what it writes.
 *
 *     text → parseQuantityText → QuantityParts → formatQuantityText → canonical text
 */
import { compareDecimals, digitCount, normalize, roundAway, scaleUp } from "./decimal.ts";
import type { Decimal } from "./decimal.ts";
import { ValueSyntaxError } from "./value-syntax-error.ts";

/** Suffix family of a quantity. */
export type QuantityFormat = "BinarySI" | "DecimalSI" | "DecimalExponent";

/** Parts of a quantity. */
export interface QuantityParts {
  readonly amount: Decimal;
  readonly format: QuantityFormat;
  /** The original text, where the API server returns it instead of the canonical form. */
  readonly verbatim?: string;
}

const nano = -9;
const maxBinary: Decimal = { unscaled: 2n ** 63n - 1n, exponent: 0 };
/** The API server keeps numbers of up to so many digits in 64 bits, and may return them verbatim. */
const shortDigitsMax = 18;

const decimalSuffixes: readonly (readonly [string, number])[] = [
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
];
const binarySuffixes: readonly (readonly [string, number])[] = [
  ["Ki", 10],
  ["Mi", 20],
  ["Gi", 30],
  ["Ti", 40],
  ["Pi", 50],
  ["Ei", 60],
];

const decimalExponents: ReadonlyMap<string, number> = new Map(decimalSuffixes);
const binaryExponents: ReadonlyMap<string, number> = new Map(binarySuffixes);
const suffixByDecimalExponent: ReadonlyMap<number, string> = new Map(decimalSuffixes.map(([suffix, exponent]) => [exponent, suffix]));
const suffixByBinaryExponent: ReadonlyMap<number, string> = new Map(binarySuffixes.map(([suffix, exponent]) => [exponent, suffix]));

const suffixLetters = /[eEinumkKMGTP]/;
const signedInteger = /^[+-]?[0-9]+$/;

/** Parses a quantity. Throws the API server's message. */
export function parseQuantityText(text: string): QuantityParts {
  const { negative, whole, fraction, suffix: suffixText } = split(text);
  const suffix = interpretSuffix(suffixText);
  const significant = whole.replace(/^0+/, "");
  const digits = (significant === "" ? "0" : significant) + fraction;
  const unscaled = negative ? -BigInt(digits) : BigInt(digits);
  const exponent = (suffix.base === 10 ? suffix.exponent - fraction.length : -fraction.length) | 0;
  const amount: Decimal = { unscaled: suffix.base === 10 ? unscaled : unscaled << BigInt(suffix.exponent), exponent };

  if (fitsInt64Path(suffix, digits.length, fraction.length)) {
    const canonical = suffix.base === 10 ? exponent % 3 === 0 && !digits.endsWith("000") && digits[0] !== "0" : unscaled % 8n !== 0n;
    return canonical ? { amount, format: suffix.format, verbatim: text } : { amount, format: suffix.format };
  }
  if (whole === "" && fraction === "") throw new ValueSyntaxError("unable to parse numeric part of quantity");
  const rounded = roundAway(amount, nano);
  return suffix.base === 10 ? { amount: rounded, format: suffix.format } : capBinary(rounded);
}

interface QuantityPieces {
  readonly negative: boolean;
  /** Digits before the point; may be empty, like the other two: "-", "." and "Ki" are zero to the API server. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
}

// A scanner instead of a regular expression, which would backtrack through long rows of digits.
function split(text: string): QuantityPieces {
  const signed = text[0] === "-" || text[0] === "+";
  const wholeStart = signed ? 1 : 0;
  const wholeEnd = skipDigits(text, wholeStart);
  const fractionStart = text[wholeEnd] === "." ? wholeEnd + 1 : wholeEnd;
  const fractionEnd = fractionStart > wholeEnd ? skipDigits(text, fractionStart) : wholeEnd;
  let at = fractionEnd;
  while (at < text.length && suffixLetters.test(text.charAt(at))) at++;
  if (text[at] === "-" || text[at] === "+") at++;
  if (text === "" || skipDigits(text, at) < text.length) {
    throw new ValueSyntaxError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  return {
    negative: text[0] === "-",
    whole: text.slice(wholeStart, wholeEnd),
    fraction: text.slice(fractionStart, fractionEnd),
    suffix: text.slice(fractionEnd),
  };
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++;
  return at;
}

/** Whether the API server parses it as a 64-bit number, which it neither rounds nor caps and may return verbatim. */
function fitsInt64Path({ base, exponent }: Suffix, digits: number, fractionDigits: number): boolean {
  if (base === 10) return digits <= shortDigitsMax && exponent - fractionDigits >= nano;
  // 2^10 is about three decimal digits; 15 leaves room to spare.
  return fractionDigits === 0 && 15 - digits - (exponent * 3) / 10 - 1 >= 0;
}

function capBinary(amount: Decimal): QuantityParts {
  const negative = amount.unscaled < 0n;
  const positive: Decimal = { unscaled: negative ? -amount.unscaled : amount.unscaled, exponent: amount.exponent };
  if (compareDecimals(positive, maxBinary) > 0) {
    return { amount: negative ? { unscaled: -maxBinary.unscaled, exponent: 0 } : maxBinary, format: "BinarySI" };
  }
  const belowOne = positive.unscaled > 0n && compareDecimals(positive, { unscaled: 1n, exponent: 0 }) < 0;
  return { amount, format: belowOne ? "DecimalSI" : "BinarySI" };
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function interpretSuffix(suffix: string): Suffix {
  const decimal = decimalExponents.get(suffix);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: "DecimalSI" };
  const binary = binaryExponents.get(suffix);
  if (binary !== undefined) return { base: 2, exponent: binary, format: "BinarySI" };
  const exponentText = suffix.slice(1);
  if ((suffix[0] === "e" || suffix[0] === "E") && signedInteger.test(exponentText)) {
    const value = readInt64(exponentText);
    // The API server parses 64 bits and keeps 32 of them.
    if (value !== undefined) return { base: 10, exponent: Number(BigInt.asIntN(32, value)), format: "DecimalExponent" };
  }
  throw new ValueSyntaxError("unable to parse quantity's suffix");
}

function readInt64(text: string): bigint | undefined {
  if (text.replace(/^[+-]?0*/, "").length > 19) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/**
 * Formats an amount in canonical form: no fraction, the largest lossless suffix of its family. Binary amounts below 1024 or with a
 * fraction get decimal suffixes. An amount beyond the largest suffix has none, as in the API server: 1000E becomes "1".
 */
export function formatQuantityText({ amount, format }: QuantityParts): string {
  const { unscaled, exponent } = normalize(amount);
  if (unscaled === 0n) return "0";
  if (format === "BinarySI" && exponent >= 0 && !isBelow1024({ unscaled, exponent }))
    return formatBinary(scaleUp({ unscaled, exponent }, 0));
  const surplus = ((exponent % 3) + 3) % 3;
  const rounded = exponent - surplus;
  const number = unscaled * 10n ** BigInt(surplus);
  if (format !== "DecimalExponent") return `${number}${suffixByDecimalExponent.get(rounded) ?? ""}`;
  return rounded === 0 ? number.toString() : `${number}e${rounded}`;
}

function isBelow1024({ unscaled, exponent }: Decimal): boolean {
  if (digitCount(unscaled) + exponent > 4) return false;
  const value = scaleUp({ unscaled, exponent }, 0);
  return value > -1024n && value < 1024n;
}

function formatBinary(value: bigint): string {
  let number = value;
  let shift = 0;
  while (number % 1024n === 0n) {
    number /= 1024n;
    shift += 10;
  }
  return `${number}${suffixByBinaryExponent.get(shift) ?? ""}`;
}
