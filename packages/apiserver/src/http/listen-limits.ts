/** How much, how many and how long: what keeps one client from spoiling a server for the others. */
import { minutes, seconds } from "@drover/machinery";

export interface ListenLimits {
  /**
   * How large the body of a request may be; of a larger one the handler is given a body that throws a 413 when it is
   * read. @default 3 MiB
   */
  readonly bodyBytesMax?: number;
  /** How large the head of a request may be; a larger one is a 431. @default 64 KiB */
  readonly headerBytesMax?: number;
  /** How many headers a request may have; more are a 431. @default 512 */
  readonly headersMax?: number;
  /** How many connections there may be; more are closed at once. @default 10,000 */
  readonly connectionsMax?: number;
  /** How many requests may wait on one connection for the answer to an earlier one; more close it. @default 32 */
  readonly pipelineMax?: number;
  /** How long a client may take for its part of the TLS handshake. @default 10 s */
  readonly handshakeTimeoutMs?: number;
  /** How long the head of a request may take, on a new connection also the wait for it; a slower one is a 408. @default 32 s */
  readonly headersTimeoutMs?: number;
  /** How long a request may take to arrive, head and body; a slower one is a 408. @default 1 min */
  readonly requestTimeoutMs?: number;
  /** How often the two times above are looked at, and so how much longer they may be. @default 1 s */
  readonly timeoutCheckMs?: number;
  /** How long a connection is kept without a request. @default 90 s */
  readonly idleTimeoutMs?: number;
  /** How long a client may take nothing of what it is sent before its connection is closed. @default 1 min */
  readonly stallTimeoutMs?: number;
  /** How long requests in progress may go on once the listener is to end. @default 5 s */
  readonly graceMs?: number;
}

/** The limits with their defaults. */
export function listenLimits(given: ListenLimits): Required<ListenLimits> {
  return {
    bodyBytesMax: 3 * 1024 * 1024,
    headerBytesMax: 64 * 1024,
    headersMax: 512,
    connectionsMax: 10_000,
    pipelineMax: 32,
    handshakeTimeoutMs: seconds(10),
    headersTimeoutMs: seconds(32),
    requestTimeoutMs: minutes(1),
    timeoutCheckMs: seconds(1),
    idleTimeoutMs: seconds(90),
    stallTimeoutMs: minutes(1),
    graceMs: seconds(5),
    ...given,
  };
}
