/**
 * A response body that a test feeds chunk by chunk: a watch, or the log of a pod.
 *
 *     const stream = new ScriptedStream();
 *     const server = scriptedTransport([stream.response]);
 *     stream.event("ADDED", pod);
 *     stream.end();
 */
import { encodeJson, encodeWatchEvent } from "@drover/machinery";
import type { HttpHeaders, HttpResponse, WatchEventType } from "@drover/machinery";

/** Status and headers, if they differ from those of a watch. */
export interface ScriptedStreamOptions {
  /** @default 200 */
  readonly status?: number;
  /** Added to, and overriding, `content-type: application/json`. @default none */
  readonly headers?: HttpHeaders;
}

type Chunk = string | Uint8Array;
type Step = { readonly chunk: Chunk } | { readonly failure: unknown };

/** One body, to be read once. Guarantees that chunks are passed on exactly as pushed, each on demand. */
export class ScriptedStream {
  readonly response: HttpResponse;
  readonly #waiting: Step[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #opened = false;
  #destroyed = false;
  #taken = 0;

  constructor({ status = 200, headers = {} }: ScriptedStreamOptions = {}) {
    this.response = {
      status,
      headers: { "content-type": "application/json", ...headers },
      body: { [Symbol.asyncIterator]: () => this.#open() },
    };
  }

  /** Number of chunks the reader has taken, for tests of backpressure. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether the reader left before the end: left its loop, or aborted. */
  get isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** Pushes one chunk, with any boundaries. Ignored after the reader has left. */
  push(chunk: Chunk): void {
    this.#add({ chunk });
  }

  /** Pushes one watch event, split at the byte offsets `cutAt`, ascending. */
  event(type: WatchEventType, object: unknown, { cutAt = [] }: { readonly cutAt?: readonly number[] } = {}): void {
    const line = encodeWatchEvent(type, encodeJson(object));
    if (cutAt.length === 0) return this.push(line);
    const bytes = new TextEncoder().encode(line);
    for (const [index, from] of [0, ...cutAt].entries()) this.push(bytes.subarray(from, cutAt[index] ?? bytes.length));
  }

  /** Closes the connection cleanly. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Breaks the connection after the pushed chunks. */
  fail(failure: Error): void {
    this.#add({ failure });
  }

  #add(step: Step): void {
    if (this.#ended) throw new Error("this stream has ended: nothing can be pushed after end()");
    if (this.#destroyed) return;
    this.#waiting.push(step);
    this.#wake?.();
  }

  #open(): AsyncIterator<Chunk, undefined> {
    if (this.#opened) throw new Error("the body of a response can be read only once");
    this.#opened = true;
    return {
      next: async () => {
        while (this.#waiting.length === 0 && !this.#ended && !this.#destroyed)
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        const step = this.#destroyed ? undefined : this.#waiting.shift();
        if (step === undefined) return { done: true, value: undefined };
        if ("failure" in step) {
          this.#ended = true;
          throw step.failure;
        }
        this.#taken++;
        return { done: false, value: step.chunk };
      },
      return: async () => {
        this.#destroyed ||= !this.#ended || this.#waiting.length > 0;
        this.#wake?.();
        return { done: true, value: undefined };
      },
    };
  }
}
