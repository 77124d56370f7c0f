/**
 * The bodies of the objects of one informer, as bytes, up to a limit.
 *
 *     object arrives → put → Body … read → isRead … limit → evicted, the holder keeps everything else
 *
 * Eviction is CLOCK: bodies stand in the order in which they were stored; the oldest is evicted, but one that was read since it was stored
 * moves to the end instead. A hit is one bit, where LRU would move an entry with every read, and a relist of objects that no reader
 * wants displaces only bodies that no reader has read. A body that moves is copied, so that memory is allocated and released in the same
 * order: a slab with a single live body, which would hold 256 KiB for one object, does not outlive its neighbours for long.
 */
import { ByteShelf } from "../source/byte-shelf.ts";
import type { ObjectEncoding } from "../source/object-version.ts";

/** What has a body, or has lost it. */
export interface BodyHolder {
  body: Body | undefined;
}

/** One cached body. */
export class Body {
  readonly holder: BodyHolder;
  readonly encoding: ObjectEncoding;
  readonly length: number;
  /** Whether it was read since the hand passed it last. */
  isRead = false;
  /** The decoded object, while someone uses it. */
  seen: WeakRef<object> | undefined;
  // Not a view: see late-version.ts.
  #memory: ArrayBufferLike;
  #offset: number;

  constructor(holder: BodyHolder, encoding: ObjectEncoding, memory: Uint8Array) {
    this.holder = holder;
    this.encoding = encoding;
    this.length = memory.length;
    this.#memory = memory.buffer;
    this.#offset = memory.byteOffset;
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#memory, this.#offset, this.length);
  }

  moveTo(memory: Uint8Array): void {
    memory.set(this.bytes);
    this.#memory = memory.buffer;
    this.#offset = memory.byteOffset;
  }
}

export interface BodyCacheOptions {
  /** Maximum bytes, with {@link overheadBytes} for each body. */
  readonly bytesMax: number;
  /** Called for each evicted body. Must not throw. */
  readonly onEvicted: () => void;
  /** Called when the number of bytes has changed. Must not throw. */
  readonly onBytes: (bytes: number) => void;
}

/** What a body takes beside its bytes: the entry, its place in the order, and the decoded object's reference. */
export const overheadBytes = 128;

/** Bodies that may move to the end for one that is stored: it bounds the pause, at worst by evicting one that was read. */
const movesMax = 32;

/** Guarantees: `bytes` never exceeds the limit; a body is never changed, only dropped. */
export class BodyCache {
  readonly #bytesMax: number;
  readonly #onEvicted: () => void;
  readonly #onBytes: (bytes: number) => void;
  readonly #shelf = new ByteShelf();
  /** In the order in which they were stored or moved. */
  readonly #bodies = new Set<Body>();
  /** Iterator at the oldest body. It is kept, because a new one would step over every slot that was emptied before. */
  #hand: Iterator<Body> = this.#bodies.values();
  #bytes = 0;

  constructor({ bytesMax, onEvicted, onBytes }: BodyCacheOptions) {
    this.#bytesMax = bytesMax;
    this.#onEvicted = onEvicted;
    this.#onBytes = onBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#bodies.size;
  }

  /** Iterates over the bodies, the next one to be evicted first or last. */
  bodies(): Iterable<Body> {
    return this.#bodies;
  }

  /** Stores a copy of a body, unless its holder has one. A body that is larger than the limit counts as evicted at once. */
  put(holder: BodyHolder, bytes: Uint8Array, encoding: ObjectEncoding): void {
    if (holder.body !== undefined) return;
    const size = bytes.length + overheadBytes;
    if (size > this.#bytesMax) return this.#onEvicted();
    this.#makeRoom(size);
    const memory = this.#shelf.take(bytes.length);
    memory.set(bytes);
    const body = new Body(holder, encoding, memory);
    holder.body = body;
    this.#bodies.add(body);
    this.#bytes += size;
    this.#onBytes(this.#bytes);
  }

  #makeRoom(size: number): void {
    for (let moves = 0; this.#bytes + size > this.#bytesMax;) {
      const oldest = this.#oldest();
      if (oldest === undefined) return;
      this.#bodies.delete(oldest);
      if (oldest.isRead && moves < movesMax) {
        moves++;
        oldest.isRead = false;
        oldest.moveTo(this.#shelf.take(oldest.length));
        this.#bodies.add(oldest);
        continue;
      }
      this.#bytes -= oldest.length + overheadBytes;
      oldest.holder.body = undefined;
      this.#onEvicted();
    }
  }

  #oldest(): Body | undefined {
    const next = this.#hand.next();
    if (next.done !== true) return next.value;
    // An exhausted iterator stays exhausted, even if bodies are added.
    this.#hand = this.#bodies.values();
    const first = this.#hand.next();
    return first.done === true ? undefined : first.value;
  }
}
