/** Uids of objects: RFC 4122, version 4. */
import type { Random } from "./random.ts";

const hexByte: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * Returns a function that returns a new random uid on each call, "7d444840-9dc0-41d1-b245-5ffdce74fad2"; the same source gives the
 * same uids in the same order.
 */
export function uidSource(random: Random): () => string {
  return () => {
    const [a, b, c, d] = [random.int(2 ** 32), random.int(2 ** 32), random.int(2 ** 32), random.int(2 ** 32)];
    const version = (b & 0xffff_0fff) | 0x4000;
    const variant = (c & 0x3fff_ffff) | 0x8000_0000;
    return `${hex16(a >>> 16)}${hex16(a)}-${hex16(b >>> 16)}-${hex16(version)}-${hex16(variant >>> 16)}-${hex16(c)}${hex16(d >>> 16)}${hex16(d)}`;
  };
}

const hex16 = (value: number): string => `${hexByte[(value >>> 8) & 0xff]}${hexByte[value & 0xff]}`;
