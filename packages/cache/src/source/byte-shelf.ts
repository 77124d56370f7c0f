/**
 * Memory for the bytes of many objects: pieces of a few large arrays, because an array for each costs the engine more to make and to keep
 * account of than copying the bytes.
 *
 *     line → ByteShelf.take → LateVersion → (newer versions come) → tidied now and then
 *
 * A large array lives as long as one of its pieces is in use, so a cache whose objects change would in time hold on to mostly rubbish.
 * Therefore whoever holds the versions moves them together when the shelf says that it is worn.
 */

const slabBytes = 256 * 1024;
/** So much rubbish is never worth tidying. */
const slackBytes = 16 * slabBytes;

/** Guarantees: pieces do not overlap; the rubbish is never much more than what is in use, if versions are moved when `isWorn`. */
export class ByteShelf {
  #slab: Uint8Array = new Uint8Array(0);
  #used = 0;
  /** Bytes handed out since `beginTidying`. */
  #taken = 0;
  /** How many of them were in use when it was last tidy. */
  #tidy = 0;

  /** Memory for so many bytes; what is in it is not said. */
  take(length: number): Uint8Array {
    this.#taken += length;
    if (length > slabBytes / 4) return new Uint8Array(length);
    if (this.#used + length > this.#slab.length) {
      this.#slab = new Uint8Array(slabBytes);
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += length;
    return this.#slab.subarray(from, this.#used);
  }

  /** Whether as much has been handed out since it was tidy as was in use then. */
  get isWorn(): boolean {
    return this.#taken > 2 * this.#tidy + slackBytes;
  }

  /** From now on everything in use is moved, by taking memory for it anew. */
  beginTidying(): void {
    this.#slab = new Uint8Array(0);
    this.#used = 0;
    this.#taken = 0;
  }

  /** All that was taken since `beginTidying`, or since the first piece, is in use. */
  endTidying(): void {
    this.#tidy = this.#taken;
  }
}
