/** The body of a streamed response inside a simulation: pieces that are pushed by the network and read by the process. */

/** Guarantees: pieces are read in the order of `push`; a failure is seen after all pieces before it. */
export class Pipe implements AsyncIterable<string | Uint8Array> {
  readonly #pieces: (string | Uint8Array)[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  /** Called when the reader stops reading. */
  readonly #onLeave: () => void;

  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  push(piece: string | Uint8Array): void {
    if (this.#end !== undefined) return;
    this.#pieces.push(piece);
    this.#wake?.();
  }

  /** Ends the stream, with an error or cleanly. */
  end(failure: { readonly error?: unknown } = {}): void {
    this.#end ??= failure;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<string | Uint8Array, void> {
    const next = async (): Promise<IteratorResult<string | Uint8Array, void>> => {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece !== undefined) return { done: false, value: piece };
        if (this.#end !== undefined) {
          // oxlint-disable-next-line typescript/only-throw-error -- the reason of an abort is passed on as it is
          if ("error" in this.#end) throw this.#end.error;
          return { done: true, value: undefined };
        }
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
    };
    const leave = (): Promise<IteratorResult<string | Uint8Array, void>> => {
      this.#end ??= {};
      this.#onLeave();
      return Promise.resolve({ done: true, value: undefined });
    };
    return { next, return: leave };
  }
}
