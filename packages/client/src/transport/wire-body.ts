/** The body of a response between its connection and its reader: passes bytes on, or keeps them while the reader pauses. */
import type { ByteSource } from "./response-body.ts";

export interface WireBodyOptions {
  /** Stops and starts the connection. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly destroy: () => void;
}

/** Guarantees: passes every byte on once and in order, then `end`, or `error` and `close`; keeps little more than one read of a socket. */
export class WireBody implements ByteSource {
  readonly #options: WireBodyOptions;
  readonly #kept: Uint8Array[] = [];
  #data: ((bytes: Uint8Array) => void) | undefined;
  readonly #others: { readonly event: "end" | "close" | "error"; readonly listener: (error?: unknown) => void }[] = [];
  #isPaused = false;
  #outcome: { readonly event: "end" | "error"; readonly error?: unknown } | undefined;
  #isOver = false;

  constructor(options: WireBodyOptions) {
    this.#options = options;
  }

  on(event: "data", listener: (bytes: Uint8Array) => void): this;
  on(event: "end" | "close" | "error", listener: (error?: unknown) => void): this;
  on(event: "data" | "end" | "close" | "error", listener: ((bytes: Uint8Array) => void) | ((error?: unknown) => void)): this {
    if (event === "data") {
      this.#data = listener;
      this.#flow();
    } else {
      this.#others.push({ event, listener: listener as (error?: unknown) => void });
    }
    return this;
  }

  pause(): void {
    this.#isPaused = true;
    this.#options.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#flow();
  }

  destroy(): void {
    this.#isOver = true;
    this.#kept.length = 0;
    this.#options.destroy();
  }

  /** The next bytes have arrived. */
  push(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#kept.push(bytes);
    if (this.#data === undefined || this.#isPaused) this.#options.pause();
    else this.#flow();
  }

  /** The body is complete. */
  end(): void {
    this.#settle({ event: "end" });
  }

  /** The connection has failed; undefined if it was closed in order. */
  fail(error: unknown): void {
    this.#settle({ event: "error", error });
  }

  #settle(outcome: { readonly event: "end" | "error"; readonly error?: unknown }): void {
    this.#outcome ??= outcome;
    this.#flow();
  }

  #flow(): void {
    const data = this.#data;
    if (data !== undefined) this.#passOn(data);
    if (this.#isOver || this.#isPaused) return;
    if (this.#outcome !== undefined && this.#kept.length === 0) return this.#finish(this.#outcome);
    if (data !== undefined && this.#outcome === undefined) this.#options.resume();
  }

  #passOn(data: (bytes: Uint8Array) => void): void {
    while (!this.#isPaused && !this.#isOver) {
      const bytes = this.#kept.shift();
      if (bytes === undefined) return;
      data(bytes);
    }
  }

  #finish({ event, error }: { readonly event: "end" | "error"; readonly error?: unknown }): void {
    this.#isOver = true;
    for (const other of this.#others) if (other.event === event && (event === "end" || error !== undefined)) other.listener(error);
    for (const other of this.#others) if (other.event === "close") other.listener();
  }
}
