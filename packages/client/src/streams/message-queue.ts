/**
 * Between a socket that pushes and a loop that pulls. Tells the socket when to hold back.
 *
 *     socket → push → MessageQueue → for await
 */

export interface MessageQueueOptions {
  /** Called when more waits than the limit (true) and when all of it has been read (false). */
  readonly onFull: (full: boolean) => void;
  /** How many bytes may wait before the sender is asked to hold back. @default 256 KiB */
  readonly limit?: number;
}

/**
 * Guarantees: items come out in the order they went in, and all of them before the end or the failure; after `discard`
 * or `cut` none comes out.
 * Assumes one reader.
 */
export class MessageQueue<T extends string | Uint8Array> implements AsyncIterable<T> {
  readonly #onFull: (full: boolean) => void;
  readonly #limit: number;
  #items: T[] = [];
  // Items before this place have been read; the array is cut when it pays.
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

  /** Nothing more comes. */
  end(): void {
    this.#end ??= {};
    this.#signal();
  }

  /** Nothing more comes, and this is why. */
  fail(error: unknown): void {
    this.#end ??= { failure: { error } };
    this.#signal();
  }

  /** Drops what has not been read, and what may still come. The reader's loop ends. */
  discard(): void {
    this.#items = [];
    this.#next = 0;
    this.end();
  }

  /** Drops what has not been read, and what may still come. The reader's loop throws. */
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
        // oxlint-disable-next-line typescript/only-throw-error -- a signal's reason is passed on as it is
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
