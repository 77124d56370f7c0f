/**
 * Remembers decoded messages by their bytes. The containers of all Pods of a Deployment, and most parts of an object before and after a
 * change, are the same bytes: they are decoded once and shared.
 *
 *     bytes of a message → MessageMemo → the value that was decoded from equal bytes
 */
import type { JsonValue } from "@drover/machinery";

const slotCount = 256;
/** Shorter messages are decoded faster than found. */
const bytesMin = 16;
const bytesMax = 4096;
/** Of this many lookups, one in four must find something; else the next are not tried. */
const trialLength = 256;
const pauseLength = 16 * trialLength;

/** How many bytes all memos of a reader may keep. */
export class MemoBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Replaces bytes by others; false if that would be too many. */
  replace(before: number, after: number): boolean {
    if (after - before > this.#left) return false;
    this.#left -= after - before;
    return true;
  }
}

interface Remembered {
  readonly bytes: Uint8Array;
  readonly value: JsonValue;
}

/** Guarantees: returns a value only for equal bytes; keeps at most `slotCount` messages, within the budget. */
export class MessageMemo {
  readonly #budget: MemoBudget;
  readonly #slots: (Remembered | undefined)[] = [];
  #lookups = 0;
  #hits = 0;

  constructor(budget: MemoBudget) {
    this.#budget = budget;
  }

  /** Returns the value of equal bytes; undefined if there is none. */
  find(bytes: Uint8Array, from: number, to: number): JsonValue | undefined {
    if (!this.#isTrying(to - from)) return undefined;
    const known = this.#slots[slotOf(bytes, from, to - from)];
    if (known === undefined || !isSame(known.bytes, bytes, from, to)) return undefined;
    this.#hits++;
    return known.value;
  }

  /** Remembers the value of a message that was not found. */
  keep(bytes: Uint8Array, from: number, to: number, value: JsonValue): void {
    const length = to - from;
    if (this.#lookups < 0 || length < bytesMin || length > bytesMax) return;
    const slot = slotOf(bytes, from, length);
    if (!this.#budget.replace(this.#slots[slot]?.bytes.length ?? 0, length)) return;
    // Holes would be slow.
    while (this.#slots.length <= slot) this.#slots.push(undefined);
    this.#slots[slot] = { bytes: new Uint8Array(bytes.subarray(from, to)), value };
  }

  /** Messages that are never the same, such as metadata, are not worth looking up; from time to time it tries again. */
  #isTrying(length: number): boolean {
    if (length < bytesMin || length > bytesMax) return false;
    this.#lookups++;
    if (this.#lookups <= 0) return false;
    if (this.#lookups === trialLength) {
      this.#lookups = this.#hits < trialLength / 4 ? -pauseLength : 0;
      this.#hits = 0;
    }
    return this.#lookups > 0;
  }
}

/** A few bytes tell most messages apart. */
function slotOf(bytes: Uint8Array, from: number, length: number): number {
  let hash = length;
  const step = Math.max(1, length >> 3);
  for (let at = from + length - 1; at >= from; at -= step) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  return (hash ^ (hash >>> 7) ^ (hash >>> 14)) & (slotCount - 1);
}

function isSame(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  if (known.length !== length) return false;
  for (let at = 0; at < length; at++) if (known[at] !== bytes[from + at]) return false;
  return true;
}
