/** Memory in which one result after another is put together; each is copied before the next begins. */

/** More than the scratch of ordinary objects; the memory of a larger one is let go with the next. */
const keptBytes = 256 * 1024;

/** From this size on, the engine's copy is faster than a loop. */
const longBytes = 48;

/** Guarantees: never keeps more than 256 KiB between two results. */
export class ByteScratch {
  #bytes: Uint8Array = new Uint8Array(0);
  #used = 0;

  /** Begins a result of at most `max` bytes. */
  begin(max: number): void {
    this.#used = 0;
    if (this.#bytes.length >= max && this.#bytes.length <= keptBytes) return;
    this.#bytes = new Uint8Array(max > keptBytes ? max : Math.min(keptBytes, Math.max(1024, 2 * max)));
  }

  /** Number of bytes so far. */
  get length(): number {
    return this.#used;
  }

  byte(value: number): void {
    this.#bytes[this.#used++] = value;
  }

  copy(source: Uint8Array, from: number, to: number): void {
    if (to - from >= longBytes) {
      this.#bytes.set(source.subarray(from, to), this.#used);
      this.#used += to - from;
      return;
    }
    const bytes = this.#bytes;
    let at = this.#used;
    for (let next = from; next < to; next++) bytes[at++] = source[next] as number;
    this.#used = at;
  }

  /** Inserts room before what was written since `at`. */
  insert(at: number, length: number): void {
    this.#bytes.copyWithin(at + length, at, this.#used);
    this.#used += length;
  }

  /** Replaces a byte. */
  set(at: number, value: number): void {
    this.#bytes[at] = value;
  }

  /** Returns what was written, until the next result begins. */
  result(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }
}
