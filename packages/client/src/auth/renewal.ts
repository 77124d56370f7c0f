/**
 * A value that is had anew from time to time: a file read again, a program run again, a token refreshed. What the sources in this folder
 * have in common is here: one attempt at a time, the old value while it can still be used, and pauses after attempts that brought nothing.
 *
 *     renew() → Renewal → token file, exec, oidc, PEM files
 */
import type { Clock, Log } from "@drover/machinery";
import { SingleFlight } from "./single-flight.ts";

/** "fresh": use it. "usable": have it anew, and use it when that fails. "expired": useless. */
export type Freshness = "fresh" | "usable" | "expired";

/** What is had anew, how, and how often. */
export interface RenewalOptions<T> {
  readonly clock: Clock;
  readonly log: Log;
  /** What this is, for log lines: "the token file /var/run/token". */
  readonly subject: string;
  /** What there is before the first attempt. @default nothing */
  readonly initial?: T;
  /** Gets the value. Rejects with an error that holds no secret: it may be logged, and it is handed to whoever asked. */
  readonly renew: (previous: T | undefined, signal: AbortSignal) => Promise<T>;
  readonly freshness: (value: T) => Freshness;
  /** Whether having it anew brought nothing new. */
  readonly isSame: (a: T, b: T) => boolean;
  /**
   * The longest pause after attempts that failed, or that brought a value which had just been refused. Pauses begin with a second and
   * double.
   * @default 30000
   */
  readonly pauseMaxMs?: number;
}

const pauseFirstMs = 1000;

/**
 * Guarantees: at most one attempt is under way. An attempt that fails leaves the old value in place; it is handed out as long as it is
 * usable, otherwise the error is, without a new attempt before the pause is over. An attempt called off by all who waited does not count.
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

  /** The value as it was last had, however old. */
  get current(): T | undefined {
    return this.#current;
  }

  /** A value that can be used now. */
  async get(options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    const { freshness } = this.#options;
    options.signal?.throwIfAborted();
    const held = this.#current;
    if (held !== undefined && freshness(held) === "fresh") return held;
    if (this.#failure !== undefined && this.#isPaused()) return this.#usable(held, this.#failure.error);
    try {
      return await this.#renew(options);
    } catch (error) {
      options.signal?.throwIfAborted();
      return this.#usable(this.#current, error);
    }
  }

  /**
   * The server refused a value. Resolves to true when there is another one: because `isRefused` does not recognise the one held now, or
   * because it could be had anew and is different.
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
        // An attempt that all have left may end after a later one, and then it is too late.
        if (this.#current === previous) this.#current = value;
        this.#failure = undefined;
        // The same value again may be the one that was just refused, so only a new one ends the lengthening of pauses.
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
    // Without an old value to go on with, whoever asked gets the error and tells it better than a log line can.
    if (isKept) log.warn("a credential could not be renewed; the old one stays in use", { subject, error });
    else log.debug("a credential could not be had", { subject, error });
  }
}
