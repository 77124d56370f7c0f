/** The memory that a value keeps alive, estimated without encoding it. */

/** Bytes of an object or array beside its members. */
const objectBytes = 48;
/** Bytes of one member: a slot, and a share of the description of the object's shape. */
const memberBytes = 16;
/** Bytes of a string beside its characters. */
const textBytes = 24;

/**
 * Returns an estimate of the bytes that a value takes in memory; once the sum exceeds `max`, any number above `max`. So measuring a huge
 * value costs no more than measuring one of `max` bytes, and a cycle ends. Parts that occur twice count twice. For values that a decoder
 * or our own code made: getters are called.
 */
export function valueSize(value: unknown, max: number): number {
  const waiting: unknown[] = [value];
  let size = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    // Two bytes per character, as in strings with any character outside Latin-1.
    if (typeof next === "string") size += textBytes + 2 * next.length;
    else if (typeof next !== "object" || next === null) size += memberBytes;
    else if (ArrayBuffer.isView(next)) size += objectBytes + next.byteLength;
    else {
      const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
      size += objectBytes + memberBytes * members.length;
      if (size > max) return size;
      for (const member of members) waiting.push(member);
    }
    if (size > max) return size;
  }
  return size;
}
