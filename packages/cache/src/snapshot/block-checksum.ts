/**
 * Checksum of a block of a snapshot: finds damage by disks, truncation and editors, not by attackers. One multiplication per four bytes,
 * because reading a snapshot must be faster than listing. A change within one word always changes the checksum, since every step can be
 * inverted.
 */

const [first, second, third] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;

/** Returns the checksum of bytes whose number and offset in memory are multiples of four, as an unsigned number of 32 bits. */
export function blockChecksum(bytes: Uint8Array, seed: number): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  // Four independent sums, so that the processor works on them at the same time. Not an array, which the engine would read from memory.
  let a = seed | 0;
  let b = (seed ^ first) | 0;
  let c = (seed ^ second) | 0;
  let d = (seed ^ third) | 0;
  const whole = words.length & ~3;
  let at = 0;
  for (; at < whole; at += 4) {
    a = mixed(a, words[at] as number);
    b = mixed(b, words[at + 1] as number);
    c = mixed(c, words[at + 2] as number);
    d = mixed(d, words[at + 3] as number);
  }
  for (; at < words.length; at++) a = mixed(a, words[at] as number);
  const sum = (rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18) + bytes.length) | 0;
  const folded = Math.imul(sum ^ (sum >>> 15), second);
  return (folded ^ (folded >>> 13)) >>> 0;
}

/** The rotation brings the high bits, which a multiplication leaves where they are, to the low ones. */
const mixed = (sum: number, word: number): number => rotated(Math.imul(sum ^ word, first), 13);

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
