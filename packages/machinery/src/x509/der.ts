/**
 * The part of DER that certificates need. Each function returns one complete element: tag, length and content.
 *
 *     derSequence(derObjectId("2.5.4.3"), derUtf8("web"))
 */
import { formatTime } from "../values/time.ts";

const encoder: Readonly<TextEncoder> = new TextEncoder();

/** SEQUENCE. */
export const derSequence = (...parts: readonly Uint8Array[]): Uint8Array => element(0x30, parts);

/** SET; the caller sorts the parts by their bytes. */
export const derSet = (...parts: readonly Uint8Array[]): Uint8Array => element(0x31, parts);

/** INTEGER, non-negative, from big-endian bytes. */
export function derInteger(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  // A set top bit would make the number negative.
  return element(0x02, (digits[0] ?? 0) >= 0x80 ? [Uint8Array.of(0), digits] : [digits]);
}

/** BOOLEAN true; fields that are false are omitted. */
export const derTrue = (): Uint8Array => element(0x01, [Uint8Array.of(0xff)]);

export const derOctets = (content: Uint8Array): Uint8Array => element(0x04, [content]);

/** BIT STRING whose last `unused` bits do not count. */
export const derBits = (content: Uint8Array, unused = 0): Uint8Array => element(0x03, [Uint8Array.of(unused), content]);

export const derUtf8 = (text: string): Uint8Array => element(0x0c, [encoder.encode(text)]);

/** OBJECT IDENTIFIER from its dotted form. */
export function derObjectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, [Uint8Array.from([first * 40 + second, ...rest].flatMap(base128))]);
}

/** UTCTime until 2049, GeneralizedTime from then on, as in RFC 5280; from milliseconds since 1970. */
export function derTime(epochMs: number): Uint8Array {
  const digits = formatTime(epochMs).replaceAll(/[-:T]/g, "");
  return digits < "2050" && digits >= "1950" ? element(0x17, [encoder.encode(digits.slice(2))]) : element(0x18, [encoder.encode(digits)]);
}

/** A context-specific tag around `content`; `constructed` if that consists of elements. */
export const derTagged = (number: number, content: Uint8Array, { constructed }: { readonly constructed: boolean }): Uint8Array =>
  element(0x80 | (constructed ? 0x20 : 0) | number, [content]);

function element(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [tag, ...lengthBytes(length)];
  const bytes = new Uint8Array(head.length + length);
  bytes.set(head);
  let at = head.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const digits = bigEndian(length, 0x100);
  return [0x80 | digits.length, ...digits];
}

/** Seven bits per byte; all but the last have the top bit set. */
const base128 = (value: number): number[] =>
  bigEndian(value, 0x80).map((digit, index, digits) => (index === digits.length - 1 ? digit : digit | 0x80));

function bigEndian(value: number, base: number): number[] {
  const digits = [value % base];
  for (let left = Math.floor(value / base); left > 0; left = Math.floor(left / base)) digits.unshift(left % base);
  return digits;
}
