/**
 * Time and size limits of connections and their traffic, with defaults.
 */

export interface TransportLimits {
  /** Timeout for opening a connection, proxy and TLS handshake included. @default 30 seconds */
  readonly connectTimeoutMs?: number;
  /** Timeout for response headers. The API server itself gives up after 60 seconds. @default 70 seconds */
  readonly headersTimeoutMs?: number;
  /** Maximum silence of a call's body while it is being read, and maximum time it may be left unread. @default 60 seconds */
  readonly idleTimeoutMs?: number;
  /** Same for watches and other streams; a watch has its own limit, `silenceMs`. @default Infinity */
  readonly streamIdleTimeoutMs?: number;
  /** Maximum idle time of a connection; shorter than that of servers and load balancers. @default 45 seconds */
  readonly keepAliveMs?: number;
  /** Age after which a connection takes no more requests, so that changed addresses are noticed. @default 10 minutes */
  readonly connectionAgeMaxMs?: number;
  /** Maximum concurrent calls; further ones wait. Streams are not counted. @default 64 */
  readonly callsMax?: number;
  /** Maximum size of a call's body, decompressed. @default 512 MiB, about the longest string Node supports */
  readonly bodyBytesMax?: number;
  /** Maximum size of response headers. @default 64 KiB */
  readonly headerBytesMax?: number;
}

/** Returns all limits: the given ones, and defaults. */
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
