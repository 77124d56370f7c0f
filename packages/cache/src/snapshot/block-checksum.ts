/**
 * Checksum of a block of a snapshot: finds damage by disks, truncation and editors, not by attackers. One multiplication per four bytes,
 * because reading a snapshot must be faster than listing. A change within one word always changes the checksum, since every step can be
 * inverted.
 */

const [first, second, third] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;

/** Returns the checksum of bytes whose number and offset in memory are multiples of four, as an unsigned number of 32 bits. */
export function blockChecksum(bytes: Uint8Array, seed: number): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  // Four independent sums, so that the processor works on them at the same time.
  let [a, b, c, d] = [seed | 0, (seed ^ first) | 0, (seed ^ second) | 0, (seed ^ third) | 0];
  const whole = words.length & ~3;
  let at = 0;
  for (; at < whole; at += 4) {
    a = mixed(a, words[at] as number);
    b = mixed(b, words[at + 1] as number);
    c = mixed(c, words[at + 2] as number);
    d = mixed(d, words[at + 3] as number);
  }
  for (; at < words.length; at++) a = mixed(a, words[at] as number);
  const sum = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18) + bytes.length;
  const folded = Math.imul(sum ^ (sum >>> 15), second);
  return (folded ^ (folded >>> 13)) >>> 0;
}

const mixed = (sum: number, word: number): number => Math.imul(rotated((sum + Math.imul(word, second)) | 0, 13), first);

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
