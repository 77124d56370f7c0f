/**
 * Allocator for the bytes of many objects: slices of a few large arrays, because creating and tracking one array per object costs the
 * engine more than copying the bytes.
 *
 *     line → ByteShelf.take → LateVersion → (newer versions arrive) → compacted from time to time
 *
 * A large array stays in memory as long as one of its slices is in use, so a cache whose objects change would mostly hold garbage after a
 * while. The owner of the versions therefore moves them to new memory when `isWorn` is true.
 */

const slabBytes = 256 * 1024;
/** Size of the first array. A program has a cache for each kind, and most of them are small; later arrays are as large as all before. */
const firstSlabBytes = 16 * 1024;
/** Garbage up to this size is not worth compacting. */
const slackBytes = 2 * slabBytes;

/** Guarantees: slices do not overlap; garbage does not exceed live bytes by much, if the owner moves its versions when `isWorn`. */
export class ByteShelf {
  #slab: Uint8Array = new Uint8Array(0);
  #used = 0;
  /** Bytes allocated since `beginTidying`. */
  #taken = 0;
  /** Live bytes after the last compaction. */
  #tidy = 0;

  /** Returns memory for `length` bytes, with undefined content. */
  take(length: number): Uint8Array {
    this.#taken += length;
    if (length > slabBytes / 4) return new Uint8Array(length);
    if (this.#used + length > this.#slab.length) {
      this.#slab = new Uint8Array(Math.min(slabBytes, Math.max(firstSlabBytes, this.#taken)));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += length;
    return this.#slab.subarray(from, this.#used);
  }

  /** Counts memory that others have allocated for versions of the same owner. */
  adopt(length: number): void {
    this.#taken += length;
  }

  /** Whether allocations since the last compaction exceed the bytes that were live then. */
  get isWorn(): boolean {
    return this.#taken > 2 * this.#tidy + slackBytes;
  }

  /** Starts a compaction: the owner now takes new memory for everything in use. */
  beginTidying(): void {
    this.#slab = new Uint8Array(0);
    this.#used = 0;
    this.#taken = 0;
  }

  /** Ends a compaction: everything allocated since `beginTidying`, or since the start, is live. */
  endTidying(): void {
    this.#tidy = this.#taken;
  }
}
