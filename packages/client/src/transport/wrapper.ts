/** Everything between the client and the socket is a wrapper: a function from transport to transport, one per file. */
import type { Transport } from "@drover/machinery";

export type TransportWrapper = (next: Transport) => Transport;

/**
 * Puts wrappers around a transport, the outermost first: `wrap(socket, userAgent, retry)` sends through userAgent, then
 * retry, then socket.
 */
export function wrap(base: Transport, ...wrappers: readonly TransportWrapper[]): Transport {
  return wrappers.reduceRight((next, wrapper) => wrapper(next), base);
}
