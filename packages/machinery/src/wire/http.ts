/**
 * The one function type for HTTP. Plain data in, plain data out, so that a server in the same process, a socket, a retry and a
 * simulated network are interchangeable.
 *
 *     client → (wrappers: Transport → Transport) → sockets or apiserver.handle
 */

/** Header names are lower case. A header that may repeat (`warning`, `impersonate-group`) is a list. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Complete, or as a stream. A server in the same process yields complete lines of text; a socket yields bytes cut anywhere. */
export type HttpBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

export interface HttpRequest {
  readonly method: string;
  /** Path and query as in the request line, percent-encoded: "/api/v1/pods?limit=500". */
  readonly path: string;
  readonly headers: HttpHeaders;
  readonly body?: HttpBody;
  /** Aborts the exchange at any time, also while the response body is read. */
  readonly signal?: AbortSignal;
  /**
   * Called on each change of whether the server may have seen this request: "no" while it waits for a credential, a rate limit, a
   * connection or the next attempt, "maybe" from its first byte on. Assume "maybe" of a transport that never calls it.
   * @default no callback
   */
  readonly onSent?: (sent: "no" | "maybe") => void;
  /** Maximum retries of this request by wrappers; 0 disables them. @default each wrapper's own limit */
  readonly maxRetries?: number;
  /**
   * Awaited before each retry, after its delay of `pausedMs`, with the outcome of the previous attempt. A rejection ends the call.
   * @default no callback
   */
  readonly beforeRetry?: (outcome: AttemptOutcome, pausedMs: number) => Promise<void>;
  /**
   * Called by a server between the steps of work on a large object; resolves when others have had their turn.
   * @default no pauses
   */
  readonly pause?: () => Promise<void>;
  /** Whether the sender itself reports warnings in the response, so that wrappers do not. @default false */
  readonly reportsWarnings?: boolean;
}

/** Outcome of an attempt: the status code, or the error. */
export type AttemptOutcome = { readonly statusCode: number } | { readonly error: unknown };

export interface HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: HttpBody;
}

/**
 * Resolves when the response headers have arrived. Rejects only without a response: aborted, or a connection failure. An error
 * status is a response.
 */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;
