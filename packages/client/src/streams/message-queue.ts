/**
 * Buffers messages between a socket that pushes and a loop that pulls, with backpressure.
 *
 *     socket → push → MessageQueue → for await
 */

export interface MessageQueueOptions {
  /** Called with true when the limit is exceeded, with false when the queue is empty again. */
  readonly onFull: (full: boolean) => void;
  /** Queued bytes after which the sender must pause. @default 256 KiB */
  readonly limit?: number;
}

/** Guarantees: items come out in order, all of them before the end or the failure; none after `discard` or `cut`. Assumes one reader. */
export class MessageQueue<T extends string | Uint8Array> implements AsyncIterable<T> {
  readonly #onFull: (full: boolean) => void;
  readonly #limit: number;
  #items: T[] = [];
  // Items before this index have been read; the array is compacted now and then.
  #next = 0;
  #waiting = 0;
  #full = false;
  #end: { readonly failure?: { readonly error: unknown } } | undefined;
  #wake: (() => void) | undefined;

  constructor({ onFull, limit = 256 * 1024 }: MessageQueueOptions) {
    this.#onFull = onFull;
    this.#limit = limit;
  }

  push(item: T): void {
    if (this.#end !== undefined) return;
    this.#items.push(item);
    this.#waiting += item.length;
    if (this.#waiting > this.#limit) this.#setFull(true);
    this.#signal();
  }

  /** Ends the queue. */
  end(): void {
    this.#end ??= {};
    this.#signal();
  }

  /** Ends the queue with an error. */
  fail(error: unknown): void {
    this.#end ??= { failure: { error } };
    this.#signal();
  }

  /** Drops unread and future items. The reader's loop ends. */
  discard(): void {
    this.#items = [];
    this.#next = 0;
    this.end();
  }

  /** Drops unread and future items. The reader's loop throws. */
  cut(error: unknown): void {
    this.fail(error);
    this.discard();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const item = this.#items[this.#next];
      if (item !== undefined) {
        this.#take(item);
        yield item;
      } else if (this.#end !== undefined) {
        // oxlint-disable-next-line typescript/only-throw-error -- rethrows a signal's reason
        if (this.#end.failure !== undefined) throw this.#end.failure.error;
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  #take(item: T): void {
    this.#next++;
    this.#waiting -= item.length;
    if (this.#next < this.#items.length) return;
    this.#items = [];
    this.#next = 0;
    this.#setFull(false);
  }

  #setFull(full: boolean): void {
    if (this.#full === full) return;
    this.#full = full;
    this.#onFull(full);
  }

  #signal(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
