/** How long and how much: the bounds of connections and of what goes through them, with their defaults. */

export interface TransportLimits {
  /** How long making a connection may take, proxy and TLS handshake included. @default 30 seconds */
  readonly connectTimeoutMs?: number;
  /** How long the head of an answer may take. The API server itself gives up after 60 seconds. @default 70 seconds */
  readonly headersTimeoutMs?: number;
  /** How long the body of a call may be silent while it is being read, or lie unread. @default 60 seconds */
  readonly idleTimeoutMs?: number;
  /** The same for watches and other streams, where silence is for the watch to judge. @default Infinity */
  readonly streamIdleTimeoutMs?: number;
  /** How long a connection waits unused for the next request; less than servers and load balancers wait. @default 45 seconds */
  readonly keepAliveMs?: number;
  /** After this age a connection takes no further requests, so that changes of address are noticed. @default 10 minutes */
  readonly connectionAgeMaxMs?: number;
  /** How many calls run at once; more wait. Streams are not counted. @default 64 */
  readonly callsMax?: number;
  /** How large the body of a call may be once decompressed. @default 512 MiB, about the longest text Node can hold */
  readonly bodyBytesMax?: number;
  /** How large the head of an answer may be. @default 64 KiB */
  readonly headerBytesMax?: number;
}

/** All of them: those that are given, and the defaults. */
export function transportLimits({
  connectTimeoutMs = 30_000,
  headersTimeoutMs = 70_000,
  idleTimeoutMs = 60_000,
  streamIdleTimeoutMs = Infinity,
  keepAliveMs = 45_000,
  connectionAgeMaxMs = 600_000,
  callsMax = 64,
  bodyBytesMax = 512 * 2 ** 20,
  headerBytesMax = 64 * 1024,
}: TransportLimits): Required<TransportLimits> {
  return {
    connectTimeoutMs,
    headersTimeoutMs,
    idleTimeoutMs,
    streamIdleTimeoutMs,
    keepAliveMs,
    connectionAgeMaxMs,
    callsMax,
    bodyBytesMax,
    headerBytesMax,
  };
}
