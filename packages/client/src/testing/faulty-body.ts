/**
 * The body of a response on a bad network: cut, stalled, slow, garbled, or dropped by a proxy.
 *
 *     a body, a Fault → FaultyBody → ResponseBody
 */
import { sleep } from "@drover/machinery";
import type { Clock, HttpBody } from "@drover/machinery";
import type { ByteSource } from "../transport/response-body.ts";
import type { Fault } from "./fault.ts";

export interface FaultyBodyOptions {
  readonly clock: Clock;
  readonly fault: Fault | undefined;
  readonly lost: (how: "reset" | "close") => Error;
  readonly garbled: () => Error;
  /** Called once, when the whole body has been sent. */
  readonly ended: () => void;
}

/** Sends chunks while they are being read. */
export class FaultyBody implements ByteSource {
  readonly #options: FaultyBodyOptions;
  readonly #listeners = new Map<string, (told?: unknown) => void>();
  #isPaused = false;
  #wanted: (() => void) | undefined;
  #quiet: () => void = () => undefined;
  readonly #destroyed = new AbortController();

  constructor(body: HttpBody, options: FaultyBodyOptions) {
    this.#options = options;
    this.#send(body).catch((error: unknown) => this.#fail(error));
  }

  on(event: "data", listener: (bytes: Uint8Array) => void): this;
  on(event: "end" | "close" | "error", listener: (error?: unknown) => void): this;
  on(event: string, listener: ((bytes: Uint8Array) => void) & ((error?: unknown) => void)): this {
    this.#listeners.set(event, listener);
    if (event === "data") this.#wanted?.();
    return this;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#wanted?.();
  }

  destroy(): void {
    this.#destroyed.abort();
    this.#quiet();
    this.#wanted?.();
  }

  async #send(body: HttpBody): Promise<void> {
    const { clock, fault, lost, garbled, ended } = this.#options;
    const { signal } = this.#destroyed;
    const end = endOf(fault);
    let left = end.afterBytes;
    this.#watch();
    for await (const bytes of pieces(body, fault?.kind === "slow" ? fault.bytes : Infinity)) {
      if (signal.aborted) return;
      await this.#push(bytes.subarray(0, left));
      this.#watch();
      left -= bytes.length;
      if (left <= 0) break;
      if (fault?.kind === "slow") await sleep(clock, fault.everyMs, { signal });
    }
    if (signal.aborted || (left <= 0 && end.how === "stalled")) return;
    if (left <= 0) throw end.how === "garbled" ? garbled() : lost(end.how === "reset" ? "reset" : "close");
    await this.#flowing();
    if (signal.aborted) return;
    this.#quiet();
    ended();
    this.#listeners.get("end")?.();
  }

  /** Starts the proxy's idle timer. */
  #watch(): void {
    const { clock, fault, lost } = this.#options;
    this.#quiet();
    if (fault?.kind === "tired" && !this.#destroyed.signal.aborted)
      this.#quiet = clock.timer(fault.afterMs, () => this.#fail(lost(fault.how)));
  }

  #fail(error: unknown): void {
    if (!this.#destroyed.signal.aborted) this.#listeners.get("error")?.(error);
  }

  async #flowing(): Promise<void> {
    while ((this.#isPaused || !this.#listeners.has("data")) && !this.#destroyed.signal.aborted)
      await new Promise<void>((resolve) => (this.#wanted = resolve));
  }

  async #push(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    await this.#flowing();
    if (!this.#destroyed.signal.aborted) this.#listeners.get("data")?.(bytes);
  }
}

/** Returns where the body is cut, and how. */
function endOf(fault: Fault | undefined): { readonly afterBytes: number; readonly how: "reset" | "close" | "stalled" | "garbled" } {
  if (fault?.kind === "cut" && typeof fault.at === "number") return { afterBytes: fault.at, how: fault.how };
  if (fault?.kind === "stalled" || fault?.kind === "garbled") return { afterBytes: fault.afterBytes, how: fault.kind };
  return { afterBytes: Infinity, how: "close" };
}

async function* pieces(body: HttpBody, bytesMax: number): AsyncGenerator<Uint8Array, void, undefined> {
  const whole = typeof body === "string" || body instanceof Uint8Array ? [body] : body;
  for await (const chunk of whole) {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    for (let from = 0; from < bytes.length; from += bytesMax) yield bytes.subarray(from, from + bytesMax);
  }
}
