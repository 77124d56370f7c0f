/**
 * The body of an answer as it is consumed. Reads no further ahead than the source's own buffer, notices silence while somebody waits,
 * and lets go of the connection as soon as the body is over, dropped, failed or too long in nobody's hands.
 *
 *     a readable of Node (or anything shaped like it) → ResponseBody → for await (const bytes of body)
 */
import { Patience } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

/** As much of a readable stream as is needed. */
export interface ByteSource {
  read(): Uint8Array | null;
  on(event: "readable" | "end" | "close" | "error", listener: (error?: unknown) => void): unknown;
  destroy(): unknown;
}

/** Why a body ends early, when it is not the signal. */
export type BodyFailure = { readonly kind: "idle" } | { readonly kind: "unread" } | { readonly kind: "too-large" } | { readonly kind: "broken"; readonly error: unknown };

export interface ResponseBodyOptions {
  readonly clock: Clock;
  /** How long a reader waits for the next bytes. */
  readonly idleMs: number;
  /** How long the body waits for its reader. */
  readonly unreadMs: number;
  /** How many bytes it may have. */
  readonly bytesMax: number;
  readonly signal: AbortSignal | undefined;
  /** Makes the error that the reader sees. */
  readonly failed: (failure: BodyFailure) => unknown;
  /** Called once, when the rest of the body is not wanted or cannot be had; the connection is of no more use then. */
  readonly abandon: () => void;
}

/** Guarantees: yields every byte once and in order; after a failure every call rejects with it; to be iterated once. */
export class ResponseBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined> {
  readonly #source: ByteSource;
  readonly #options: ResponseBodyOptions;
  readonly #patience: Patience;
  #state: "open" | "ended" | "dropped" | "failed" = "open";
  #failure: unknown;
  #bytes = 0;
  #wake: (() => void) | undefined;
  #cancelUnread: () => void;

  constructor(source: ByteSource, options: ResponseBodyOptions) {
    this.#source = source;
    this.#options = options;
    this.#patience = new Patience(options.clock, options.idleMs, () => this.#fail({ kind: "idle" }));
    source.on("readable", () => this.#wake?.());
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

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#cancelUnread();
    for (;;) {
      // What the reader is told is what happened, whatever it is: a signal's reason may be anything.
      // oxlint-disable-next-line typescript/only-throw-error
      if (this.#state === "failed") throw this.#failure;
      if (this.#state === "dropped") return { done: true, value: undefined };
      const bytes = this.#source.read();
      if (bytes !== null) {
        this.#bytes += bytes.length;
        if (this.#bytes <= this.#options.bytesMax) return { done: false, value: bytes };
        this.#fail({ kind: "too-large" });
      } else if (this.#state === "ended") return { done: true, value: undefined };
      else await this.#moved();
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#settle("dropped")) this.#letGo();
    return Promise.resolve({ done: true, value: undefined });
  }

  async #moved(): Promise<void> {
    this.#patience.begin();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    this.#patience.end();
  }

  readonly #abort = (): void => {
    this.#failure = this.#options.signal?.reason;
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

  /** Whether this was the end; the first one counts. */
  #settle(state: "ended" | "dropped" | "failed"): boolean {
    if (this.#state !== "open") return false;
    this.#state = state;
    this.#cancelUnread();
    this.#patience.close();
    this.#options.signal?.removeEventListener("abort", this.#abort);
    this.#wake?.();
    return true;
  }
}
