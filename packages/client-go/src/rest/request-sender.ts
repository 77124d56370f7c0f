/** What stands between a request that is built and a client that sends it: neither knows the other. */
import type { AttemptOutcome, HttpRequest, WatchEvent } from "@drover/machinery";
import type { RequestAbout, WarningHandler } from "@drover/client";
import type { Result } from "./result.ts";

/** Hands out turns: every attempt of a request waits for one. Watches do not. One that counts is `tokenBucketRateLimiter`. */
export interface RateLimiter {
  /** Takes a turn if there is one now. */
  tryAccept(): boolean;
  /** Resolves when it is our turn, however long that takes. */
  accept(): Promise<void>;
  /** Resolves when it is our turn; rejects with the signal's reason, and then takes none. */
  wait(options?: SendOptions): Promise<void>;
  /** Ends what the limiter itself has under way, if anything; whoever waits still gets a turn. */
  stop(): void;
  /** Turns a second, in the long run. */
  qps(): number;
}

/** Decides how long to wait before an attempt, from how earlier ones went. One that doubles is `urlBackoff`. */
export interface BackOffManager {
  /** Milliseconds before the next attempt at this path; 0 for none. */
  calculateBackoff(path: string): number;
  /** Is told how an attempt went: its code, or the error there was instead. */
  updateBackoff(path: string, outcome: AttemptOutcome): void;
}

/** What sending takes. */
export interface SendOptions {
  /** Calls it off; the promise then rejects with the signal's reason. @default never called off */
  readonly signal?: AbortSignal;
}

/** What watching takes. */
export interface WatchSendOptions extends SendOptions {
  /** Without a byte for this long the stream counts as dead. @default 180 s with bookmarks; see `defaultSilenceMs` */
  readonly silenceMs?: number;
  /** A longer line is an error. @default 16 * 1024 * 1024 characters */
  readonly maxLineLength?: number;
  /** Leaves `metadata.managedFields` out. @default false */
  readonly dropManagedFields?: boolean;
}

/** How a request is to be sent; what is undefined is the client's own. */
export interface SendSettings {
  /** 0: no limit. */
  readonly timeoutMs: number;
  readonly maxRetries: number | undefined;
  readonly rateLimiter: RateLimiter | undefined;
  readonly backOff: BackOffManager | undefined;
  readonly warningHandler: WarningHandler | undefined;
}

/** A request, as far as a sender needs to know it. */
export interface SendableRequest {
  readonly about: RequestAbout;
  readonly settings: SendSettings;
  /** Throws when the request cannot be sent. */
  toHttpRequest(options?: SendOptions): HttpRequest;
}

/** Sends requests: a `RestClient`. */
export interface RequestSender {
  do(request: SendableRequest, options: SendOptions): Promise<Result>;
  doRaw(request: SendableRequest, options: SendOptions): Promise<Uint8Array>;
  stream(request: SendableRequest, options: SendOptions): Promise<AsyncIterable<string | Uint8Array>>;
  watch<T>(request: SendableRequest, options: WatchSendOptions): AsyncIterableIterator<WatchEvent<T>, void, undefined>;
}
