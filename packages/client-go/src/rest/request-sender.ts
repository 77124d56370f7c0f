/** Interfaces between the request builder and the client that sends requests: neither imports the other. */
import type { AttemptOutcome, HttpRequest, WatchEvent } from "@drover/machinery";
import type { RequestAbout, WarningHandler } from "@drover/client";
import type { Result } from "./result.ts";

/** Rate limiter: every attempt of a request except a watch takes a token. `tokenBucketRateLimiter` implements it. */
export interface RateLimiter {
  /** Takes a token if one is available now. */
  tryAccept(): boolean;
  /** Takes a token, waiting for it. */
  accept(): Promise<void>;
  /** Takes a token, waiting for it; after an abort it rejects with the signal's reason and takes none. */
  wait(options?: SendOptions): Promise<void>;
  /** Stops the limiter's own activity, if any; pending waits still complete. */
  stop(): void;
  /** Returns the rate in tokens per second. */
  qps(): number;
}

/** Computes the delay before an attempt from the outcomes of earlier ones. `urlBackoff` implements it. */
export interface BackOffManager {
  /** Returns the delay before the next attempt at this path, in milliseconds. */
  calculateBackoff(path: string): number;
  /** Records the outcome of an attempt: its status code, or its error. */
  updateBackoff(path: string, outcome: AttemptOutcome): void;
}

/** Options of sending a request. */
export interface SendOptions {
  /** Cancels the request; the promise then rejects with the signal's reason. @default no signal */
  readonly signal?: AbortSignal;
}

/** Options of a watch. */
export interface WatchSendOptions extends SendOptions {
  /** Milliseconds without a byte after which the stream counts as dead. @default 125 s with bookmarks; see `defaultSilenceMs` */
  readonly silenceMs?: number;
  /** Maximum length of a line; a longer one is an error. @default 16 * 1024 * 1024 characters */
  readonly maxLineLength?: number;
  /** Whether to drop `metadata.managedFields`. @default false */
  readonly dropManagedFields?: boolean;
}

/** Settings of one request; undefined ones default to the client's. */
export interface SendSettings {
  /** 0 means no timeout. */
  readonly timeoutMs: number;
  readonly maxRetries: number | undefined;
  readonly rateLimiter: RateLimiter | undefined;
  readonly backOff: BackOffManager | undefined;
  readonly warningHandler: WarningHandler | undefined;
}

/** A request as the sender sees it. */
export interface SendableRequest {
  readonly about: RequestAbout;
  readonly settings: SendSettings;
  /** Throws if the request is invalid. */
  toHttpRequest(options?: SendOptions): HttpRequest;
}

/** Sends requests: a `RestClient`. */
export interface RequestSender {
  do(request: SendableRequest, options: SendOptions): Promise<Result>;
  doRaw(request: SendableRequest, options: SendOptions): Promise<Uint8Array>;
  stream(request: SendableRequest, options: SendOptions): Promise<AsyncIterable<string | Uint8Array>>;
  watch<T>(request: SendableRequest, options: WatchSendOptions): AsyncIterableIterator<WatchEvent<T>, void, undefined>;
}
