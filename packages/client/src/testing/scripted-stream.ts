/**
 * The body of an answer that a test feeds by hand, chunk by chunk: a watch, or the log of a pod.
 *
 *     const stream = new ScriptedStream();
 *     const server = scriptedTransport([stream.response]);
 *     stream.event("ADDED", pod);
 *     stream.end();
 */
import { encodeJson, encodeWatchEvent } from "@drover/machinery";
import type { HttpHeaders, HttpResponse, WatchEventType } from "@drover/machinery";

/** How the head of the answer differs from that of a watch. */
export interface ScriptedStreamOptions {
  /** @default 200 */
  readonly status?: number;
  /** Added to, and stronger than, `content-type: application/json`. @default none */
  readonly headers?: HttpHeaders;
}

type Chunk = string | Uint8Array;
type Step = { readonly chunk: Chunk } | { readonly failure: unknown };

/** One body, to be read once. Guarantees that chunks are handed out exactly as they were pushed, and none before it is asked for. */
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

  /** How many chunks the reader has taken: what tests of back-pressure look at. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether the reader went away before the end: left its loop, or was aborted. */
  get isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** One chunk, cut wherever the test likes. Ignored once the reader has gone. */
  push(chunk: Chunk): void {
    this.#add({ chunk });
  }

  /** One watch event, in as many chunks as there are cuts: `cutAt` are offsets in bytes, ascending. */
  event(type: WatchEventType, object: unknown, { cutAt = [] }: { readonly cutAt?: readonly number[] } = {}): void {
    const line = encodeWatchEvent(type, encodeJson(object));
    if (cutAt.length === 0) return this.push(line);
    const bytes = new TextEncoder().encode(line);
    for (const [index, from] of [0, ...cutAt].entries()) this.push(bytes.subarray(from, cutAt[index] ?? bytes.length));
  }

  /** The server closes the connection in good order. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** The connection breaks, after what has been pushed. */
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
    if (this.#opened) throw new Error("the body of an answer can be read only once");
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
