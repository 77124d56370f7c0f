/**
 * The body of a response while it is read. Reads little further ahead than the source's own buffer, detects silence while a
 * reader waits, and releases the connection as soon as the body has ended, is dropped, has failed or was left unread for too
 * long.
 *
 *     a readable of Node (or anything shaped like it) → ResponseBody → for await (const bytes of body)
 *
 * Uses the source's `data` events instead of `read()`: a chunk that arrives while a reader waits is passed on unchanged,
 * while `read()` would first buffer it and then copy the whole buffer into one chunk.
 */
import { Patience } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

/** The part of a readable stream that is used. */
export interface ByteSource {
  /** Listening for `data` starts the stream. */
  on(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  on(event: "end" | "close" | "error", listener: (error?: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** Why a body ends early, other than an abort. */
export type BodyFailure =
  | { readonly kind: "idle" }
  | { readonly kind: "unread" }
  | { readonly kind: "too-large" }
  | { readonly kind: "broken"; readonly error: unknown };

export interface ResponseBodyOptions {
  readonly clock: Clock;
  /** How long a reader waits for the next bytes. */
  readonly idleMs: number;
  /** How long the body waits for its reader. */
  readonly unreadMs: number;
  /** Maximum size of the body. */
  readonly bytesMax: number;
  /** Unread bytes after which the source is paused; 0 pauses it after every chunk. */
  readonly aheadBytesMax: number;
  readonly signal: AbortSignal | undefined;
  /** Creates the error that the reader sees. */
  readonly failed: (failure: BodyFailure) => unknown;
  /** Called once, when the rest of the body is not wanted or not available; the connection cannot be reused. */
  readonly abandon: () => void;
}

type Step = IteratorResult<Uint8Array, undefined>;

/**
 * Guarantees: yields every byte once and in order, also those before a failure, after which every call rejects with it; can
 * be iterated once.
 */
export class ResponseBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined> {
  readonly #source: ByteSource;
  readonly #options: ResponseBodyOptions;
  readonly #patience: Patience;
  #state: "open" | "ended" | "dropped" | "failed" = "open";
  #failure: unknown;
  #bytes = 0;
  /** Chunks that arrived while no reader waited. */
  #ahead: Uint8Array[] = [];
  #aheadBytes = 0;
  #flow: "not begun" | "flowing" | "paused" = "not begun";
  #waiting: ((step: Step | Promise<Step>) => void) | undefined;
  #cancelUnread: () => void;

  constructor(source: ByteSource, options: ResponseBodyOptions) {
    this.#source = source;
    this.#options = options;
    this.#patience = new Patience(options.clock, options.idleMs, () => this.#fail({ kind: "idle" }));
    source.on("end", () => this.#settle("ended"));
    source.on("error", (error) => this.#fail({ kind: "broken", error }));
    source.on("close", () => this.#fail({ kind: "broken", error: undefined }));
    options.signal?.addEventListener("abort", this.#abort, { once: true });
    this.#cancelUnread = options.clock.timer(options.unreadMs, () => this.#fail({ kind: "unread" }));
    if (options.signal?.aborted === true) this.#abort();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return this;
  }

  next(): Promise<Step> {
    this.#cancelUnread();
    if (this.#flow === "not begun") this.#begin();
    const step = this.#step();
    if (step !== undefined) return Promise.resolve(step);
    this.#patience.begin();
    return new Promise((resolve) => {
      this.#waiting = resolve;
      if (this.#flow !== "paused") return;
      this.#flow = "flowing";
      this.#source.resume();
    });
  }

  return(): Promise<Step> {
    if (this.#settle("dropped")) this.#letGo();
    this.#ahead = [];
    return Promise.resolve({ done: true, value: undefined });
  }

  #begin(): void {
    if (this.#state !== "open") return;
    this.#flow = "flowing";
    this.#source.on("data", (bytes) => {
      if (this.#state !== "open") return;
      this.#bytes += bytes.length;
      if (this.#bytes > this.#options.bytesMax) return this.#fail({ kind: "too-large" });
      this.#ahead.push(bytes);
      this.#aheadBytes += bytes.length;
      this.#wake();
      if (this.#aheadBytes < this.#options.aheadBytesMax || this.#flow === "paused") return;
      this.#flow = "paused";
      this.#source.pause();
    });
  }

  /** Returns the reader's next result; undefined if it must wait. */
  #step(): Step | Promise<Step> | undefined {
    const bytes = this.#ahead.shift();
    if (bytes === undefined) {
      // The reader gets the original reason: a signal's reason may be any value.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      if (this.#state === "failed") return Promise.reject(this.#failure);
      return this.#state === "open" ? undefined : { done: true, value: undefined };
    }
    this.#aheadBytes -= bytes.length;
    return { done: false, value: bytes };
  }

  #wake(): void {
    const waiting = this.#waiting;
    const step = waiting === undefined ? undefined : this.#step();
    if (waiting === undefined || step === undefined) return;
    this.#waiting = undefined;
    this.#patience.end();
    waiting(step);
  }

  readonly #abort = (): void => {
    this.#failure = this.#options.signal?.reason;
    this.#ahead = [];
    if (this.#settle("failed")) this.#letGo();
  };

  #fail(failure: BodyFailure): void {
    if (this.#state !== "open") return;
    this.#failure = this.#options.failed(failure);
    this.#settle("failed");
    this.#letGo();
  }

  #letGo(): void {
    this.#options.abandon();
    this.#source.destroy();
  }

  /** Reports whether this was the end; the first one counts. */
  #settle(state: "ended" | "dropped" | "failed"): boolean {
    if (this.#state !== "open") return false;
    this.#state = state;
    this.#cancelUnread();
    this.#patience.close();
    this.#options.signal?.removeEventListener("abort", this.#abort);
    this.#wake();
    return true;
  }
}
