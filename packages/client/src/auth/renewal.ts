/**
 * A value that is renewed from time to time: a file that is reread, a program that runs again, a token that is refreshed.
 * Common to all sources of this folder: one attempt at a time, the old value while it is usable, and backoff after failed
 * attempts.
 *
 *     renew() → Renewal → token file, exec, oidc, PEM files
 */
import type { Clock, Log } from "@drover/machinery";
import { SingleFlight } from "./single-flight.ts";

/** "fresh": use it. "usable": renew it, and use the old one if that fails. "expired": do not use it. */
export type Freshness = "fresh" | "usable" | "expired";

/** What to renew, how, and how often. */
export interface RenewalOptions<T> {
  readonly clock: Clock;
  readonly log: Log;
  /** Subject of log lines: "the token file /var/run/token". */
  readonly subject: string;
  /** Value before the first attempt. @default none */
  readonly initial?: T;
  /** Gets the value. Rejects with an error that contains no secret: it may be logged, and callers receive it. */
  readonly renew: (previous: T | undefined, signal: AbortSignal) => Promise<T>;
  readonly freshness: (value: T) => Freshness;
  /** Reports whether the renewed value equals the old one. */
  readonly isSame: (a: T, b: T) => boolean;
  /**
   * Maximum delay after attempts that failed or returned a value that was just rejected. Delays start at one second and
   * double. @default 30000
   */
  readonly pauseMaxMs?: number;
}

const pauseFirstMs = 1000;

/**
 * Guarantees: at most one attempt runs at a time. A failed attempt keeps the old value; `get` returns it while it is usable,
 * then rejects with the error until the delay is over and a new attempt starts. An attempt that all callers aborted does not
 * count.
 */
export class Renewal<T> {
  readonly #options: RenewalOptions<T>;
  readonly #flight = new SingleFlight<T>();
  #current: T | undefined;
  #failure: { readonly error: unknown } | undefined;
  #pauseMs = 0;
  #pausedUntil = 0;

  constructor(options: RenewalOptions<T>) {
    this.#options = options;
    this.#current = options.initial;
  }

  /** The last value, of any age. */
  get current(): T | undefined {
    return this.#current;
  }

  /** Returns the value if it is fresh: what `get` would resolve with, without a promise. */
  fresh(): T | undefined {
    const held = this.#current;
    return held !== undefined && this.#options.freshness(held) === "fresh" ? held : undefined;
  }

  /** Returns a usable value, renewed if necessary. */
  async get(options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    options.signal?.throwIfAborted();
    const fresh = this.fresh();
    if (fresh !== undefined) return fresh;
    if (this.#failure !== undefined && this.#isPaused()) return this.#usable(this.#current, this.#failure.error);
    try {
      return await this.#renew(options);
    } catch (error) {
      options.signal?.throwIfAborted();
      return this.#usable(this.#current, error);
    }
  }

  /**
   * Reports that the server rejected a value. Resolves to true if a different one is available: `isRefused` does not match
   * the current value, or a renewal returned a different one.
   */
  async replace(isRefused: (value: T) => boolean, options: { readonly signal?: AbortSignal } = {}): Promise<boolean> {
    const { isSame } = this.#options;
    options.signal?.throwIfAborted();
    const held = this.#current;
    if (held === undefined || !isRefused(held)) return true;
    if (this.#isPaused()) return false;
    try {
      const value = await this.#renew(options);
      if (!isSame(held, value)) return true;
      if (!this.#isPaused()) this.#pause();
      return false;
    } catch {
      options.signal?.throwIfAborted();
      return false;
    }
  }

  #usable(value: T | undefined, error: unknown): T {
    if (value === undefined || this.#options.freshness(value) === "expired") throw error;
    return value;
  }

  #isPaused(): boolean {
    return this.#options.clock.monotonic() < this.#pausedUntil;
  }

  #pause(): void {
    const { clock, pauseMaxMs = 30_000 } = this.#options;
    this.#pauseMs = Math.min(this.#pauseMs === 0 ? pauseFirstMs : this.#pauseMs * 2, pauseMaxMs);
    this.#pausedUntil = clock.monotonic() + this.#pauseMs;
  }

  #renew(options: { readonly signal?: AbortSignal }): Promise<T> {
    return this.#flight.join(async (signal) => {
      const previous = this.#current;
      try {
        const value = await this.#options.renew(previous, signal);
        // An attempt that all callers have left may end after a later attempt; its result is then outdated.
        if (this.#current === previous) this.#current = value;
        this.#failure = undefined;
        // The same value may be the one that was just rejected, so only a new value resets the delay.
        if (previous === undefined || !this.#options.isSame(previous, value)) this.#pauseMs = 0;
        return value;
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
        throw error;
      }
    }, options);
  }

  #failed(error: unknown): void {
    const { log, subject, freshness } = this.#options;
    this.#failure = { error };
    this.#pause();
    const isKept = this.#current !== undefined && freshness(this.#current) !== "expired";
    // Without an old value, the caller receives the error and reports it better than a log line can.
    if (isKept) log.warn("cannot renew a credential; keeping the old one", { subject, error });
    else log.debug("cannot get a credential", { subject, error });
  }
}
