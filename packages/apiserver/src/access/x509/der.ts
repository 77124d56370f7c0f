/**
 * DER, as far as certificates need it: every function gives one whole element, tag, length and content.
 *
 *     derSequence(derObjectId("2.5.4.3"), derUtf8("web"))
 */
import { formatTime } from "@drover/machinery";

const encoder: Readonly<TextEncoder> = new TextEncoder();

/** An ordered list. */
export const derSequence = (...parts: readonly Uint8Array[]): Uint8Array => element(0x30, parts);

/** A list without order; the parts must stand in the order of their bytes. */
export const derSet = (...parts: readonly Uint8Array[]): Uint8Array => element(0x31, parts);

/** A whole number that is not negative, from its bytes, the highest first. */
export function derInteger(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  // A leading one would make the number negative.
  return element(0x02, (digits[0] ?? 0) >= 0x80 ? [Uint8Array.of(0), digits] : [digits]);
}

/** True. False is what every field is that is left out. */
export const derTrue = (): Uint8Array => element(0x01, [Uint8Array.of(0xff)]);

export const derOctets = (content: Uint8Array): Uint8Array => element(0x04, [content]);

/** Bits, of which the last `unused` do not count. */
export const derBits = (content: Uint8Array, unused = 0): Uint8Array => element(0x03, [Uint8Array.of(unused), content]);

export const derUtf8 = (text: string): Uint8Array => element(0x0c, [encoder.encode(text)]);

/** An identifier, from its dotted form. */
export function derObjectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, [Uint8Array.from([first * 40 + second, ...rest].flatMap(base128))]);
}

/** A moment, in milliseconds since 1970: of two digits for its year until 2049, of four from then on, as RFC 5280 has it. */
export function derTime(epochMs: number): Uint8Array {
  const digits = formatTime(epochMs).replaceAll(/[-:T]/g, "");
  return digits < "2050" && digits >= "1950" ? element(0x17, [encoder.encode(digits.slice(2))]) : element(0x18, [encoder.encode(digits)]);
}

/** A field with a number instead of a type: its content is given as it stands. `constructed` when the content is made of elements. */
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

/** Seven bits a byte, all but the last marked. */
const base128 = (value: number): number[] =>
  bigEndian(value, 0x80).map((digit, index, digits) => (index === digits.length - 1 ? digit : digit | 0x80));

function bigEndian(value: number, base: number): number[] {
  const digits = [value % base];
  for (let left = Math.floor(value / base); left > 0; left = Math.floor(left / base)) digits.unshift(left % base);
  return digits;
}
