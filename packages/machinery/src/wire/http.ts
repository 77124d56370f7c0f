/**
 * The one function type at the wire. Plain data in, plain data out, so that a server in the same process, a socket, a retry and a
 * simulated network are all the same thing.
 *
 *     client → (wrappers: Transport → Transport) → sockets or apiserver.handle
 */

/** Header names are lower case. A header that may repeat (`warning`, `impersonate-group`) is a list. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Whole, or as it comes. A server in the same process yields whole lines of text; a socket yields bytes cut anywhere. */
export type HttpBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

export interface HttpRequest {
  readonly method: string;
  /** Path and query as they stand in the request line, percent-encoded: "/api/v1/pods?limit=500". */
  readonly path: string;
  readonly headers: HttpHeaders;
  readonly body?: HttpBody;
  /** Aborts the exchange at any time, also while the answer's body is being read. */
  readonly signal?: AbortSignal;
  /**
   * Is told, each time it changes, whether the server may have seen this request: "no" while it waits for a credential, its turn, a
   * connection or the next attempt, "maybe" from its first byte on. Of a transport that tells nothing "maybe" is to be assumed.
   * @default nobody is told
   */
  readonly onSent?: (sent: "no" | "maybe") => void;
  /** How often whatever repeats requests on the way may repeat this one; 0 is never. @default as often as that does by itself */
  readonly maxRetries?: number;
  /**
   * Awaited before each repetition, after the pause of `pausedMs` that it takes anyway, with how the attempt before went. What it rejects
   * with ends the call. @default nothing is awaited
   */
  readonly beforeRetry?: (outcome: AttemptOutcome, pausedMs: number) => Promise<void>;
  /** Whether the sender itself hands on the warnings in the answer, so that nothing on the way does it a second time. @default false */
  readonly reportsWarnings?: boolean;
}

/** How an attempt went: the code of the answer, or the error there was instead. */
export type AttemptOutcome = { readonly statusCode: number } | { readonly error: unknown };

export interface HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: HttpBody;
}

/**
 * Resolves as soon as the answer's head is there. Rejects only when there is no answer: aborted, or the connection failed.
 * An error status is an answer like any other.
 */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;
