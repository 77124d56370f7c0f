/**
 * A store that hands out what was put in, one key after the other: a `Queue` is usable wherever a `Store` is.
 *
 *     reflector → Queue → pop(process)
 *
 * What has gathered for one key is its accumulator: the newest object in a `FIFO`, all changes since it was last handed
 * out in a `DeltaFIFO`.
 */
import type { Store } from "./store.ts";

/**
 * Takes what `pop` hands out. `isInInitialList` says that it was part of the first list. Throwing an {@link ErrRequeue} puts it back,
 * unless something newer has come for its key meanwhile.
 */
export type PopProcessFunc<A> = (accumulator: A, isInInitialList: boolean) => void | Promise<void>;

export interface PopOptions {
  /** Gives up waiting; rejects with its reason. @default waits until something comes or the queue is closed */
  readonly signal?: AbortSignal;
}

export interface Queue<T, A = T> extends Store<T, A> {
  /**
   * Waits for the next key, takes it out and gives what has gathered for it to `process`; resolves with it when that is done. Rejects with
   * what `process` throws (of an `ErrRequeue` its inner error), or with a {@link FifoClosedError} when the queue is closed and empty.
   */
  pop(process: PopProcessFunc<A>, options?: PopOptions): Promise<A>;
  /** Puts an accumulator back, unless something newer has come for its key. */
  addIfNotPresent(accumulator: A): void;
  /** Whether all of the first `replace` has been handed out, or something else came before one. */
  hasSynced(): boolean;
  /** What is in it can still be taken out; then `pop` rejects. */
  close(): void;
}

/** Thrown by a `PopProcessFunc` that wants what it got put back into the queue. */
export class ErrRequeue extends Error {
  override readonly name = "ErrRequeue";
  /** What `pop` then rejects with; undefined lets it resolve. */
  readonly inner: Error | undefined;

  constructor(inner?: Error) {
    super(inner === undefined ? "the popped item should be requeued without returning an error" : inner.message, { cause: inner });
    this.inner = inner;
  }
}

/** The queue is closed and nothing is left in it. */
export class FifoClosedError extends Error {
  override readonly name = "FifoClosedError";

  constructor() {
    super("DeltaFIFO: manipulating with closed queue");
  }
}
