/** Limits that keep one client from starving the others. */
import { minutes, seconds } from "@drover/machinery";
import { watchBytes } from "./waiting-bytes.ts";

export interface ListenLimits {
  /** Maximum size of a request body; reading a larger one throws a 413. @default 3 MiB */
  readonly bodyBytesMax?: number;
  /** Maximum size of the request head; a larger one gets a 431. @default 64 KiB */
  readonly headerBytesMax?: number;
  /** Maximum number of request headers; more get a 431. @default 512 */
  readonly headersMax?: number;
  /** Maximum number of connections; further ones are closed at once. @default 10,000 */
  readonly connectionsMax?: number;
  /** Maximum number of pipelined requests per connection that wait; the connection is closed after these. @default 32 */
  readonly pipelineMax?: number;
  /** Maximum number of concurrent requests per HTTP/2 connection, watches included. @default 100, as kube-apiserver */
  readonly streamsMax?: number;
  /** Timeout of the client's part of the TLS handshake. @default 10 s */
  readonly handshakeTimeoutMs?: number;
  /** Timeout of the request head, on a new connection including the wait for it; a slower one gets a 408. @default 32 s */
  readonly headersTimeoutMs?: number;
  /** Timeout of the whole request, head and body; a slower one gets a 408. @default 1 min */
  readonly requestTimeoutMs?: number;
  /** Interval at which these two timeouts are checked. @default 1 s */
  readonly timeoutCheckMs?: number;
  /** Timeout of an idle connection. @default 90 s */
  readonly idleTimeoutMs?: number;
  /** Timeout of a client that reads nothing. @default 1 min */
  readonly stallTimeoutMs?: number;
  /** Maximum number of bytes that wait for all watchers together; beyond it the slowest watches end. @default 256 MiB */
  readonly watchBytesMax?: number;
  /** Grace period of running requests during shutdown. @default 5 s */
  readonly graceMs?: number;
}

/** Applies the defaults. */
export function listenLimits(given: ListenLimits): Required<ListenLimits> {
  return {
    bodyBytesMax: 3 * 1024 * 1024,
    headerBytesMax: 64 * 1024,
    headersMax: 512,
    connectionsMax: 10_000,
    pipelineMax: 32,
    streamsMax: 100,
    handshakeTimeoutMs: seconds(10),
    headersTimeoutMs: seconds(32),
    requestTimeoutMs: minutes(1),
    timeoutCheckMs: seconds(1),
    idleTimeoutMs: seconds(90),
    stallTimeoutMs: minutes(1),
    watchBytesMax: watchBytes.limit,
    graceMs: seconds(5),
    ...given,
  };
}
