/**
 * client-go's `cache.Queue`: a store whose content is popped key by key. A `Queue` is a `Store`.
 *
 *     reflector → Queue → pop(process)
 *
 * The accumulator of a key is its newest object in a `FIFO`, and all changes since its last pop in a `DeltaFIFO`.
 */
import { errorBrand } from "@drover/machinery";
import type { Store } from "./store.ts";

/**
 * Processes what `pop` takes from the queue. `isInInitialList` is true for items of the first list. Throw an {@link ErrRequeue} to
 * requeue it, unless a newer change of its key is queued.
 */
export type PopProcessFunc<A> = (accumulator: A, isInInitialList: boolean) => void | Promise<void>;

/** Options of `Queue.pop`. */
export interface PopOptions {
  /** Stops waiting when aborted; the promise then rejects with the signal's reason. @default no signal */
  readonly signal?: AbortSignal;
}

/** A store whose content is popped key by key: client-go's `cache.Queue`. */
export interface Queue<T, A = T> extends Store<T, A> {
  /**
   * Takes the next key, waiting for one, and passes its accumulator to `process`; then resolves with the accumulator. Rejects with the
   * error of `process` (the inner error of an `ErrRequeue`), or with a {@link FifoClosedError} when the queue is closed and empty.
   */
  pop(process: PopProcessFunc<A>, options?: PopOptions): Promise<A>;
  /** Requeues an accumulator, unless a newer change of its key is queued. */
  addIfNotPresent(accumulator: A): void;
  /** Reports whether all items of the first `replace` were popped, or an object was added, updated or deleted before any `replace`. */
  hasSynced(): boolean;
  /** Closes the queue: `pop` still returns the remaining content and then rejects. */
  close(): void;
}

const requeueBrand = errorBrand<ErrRequeue>("ErrRequeue");
const closedBrand = errorBrand<FifoClosedError>("FifoClosedError");

/** Thrown by a `PopProcessFunc` to requeue its accumulator. */
export class ErrRequeue extends Error {
  static {
    requeueBrand.mark(this);
  }

  override readonly name = "ErrRequeue";
  /** Error with which `pop` rejects; undefined lets it resolve. */
  readonly inner: Error | undefined;

  constructor(inner?: Error) {
    super(inner === undefined ? "the popped item should be requeued without returning an error" : inner.message, { cause: inner });
    this.inner = inner;
  }
}

/** Reports whether the error is an `ErrRequeue`, also one of another copy of the package. */
export const isErrRequeue = (error: unknown): error is ErrRequeue => requeueBrand.is(error);

/** The queue is closed and empty. */
export class FifoClosedError extends Error {
  static {
    closedBrand.mark(this);
  }

  override readonly name = "FifoClosedError";

  constructor() {
    super("DeltaFIFO: manipulating with closed queue");
  }
}

/** Reports whether the error is a `FifoClosedError`, also one of another copy of the package. */
export const isFifoClosedError = (error: unknown): error is FifoClosedError => closedBrand.is(error);
