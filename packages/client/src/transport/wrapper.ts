/**
 * Everything between client and socket is a wrapper: a function from transport to transport, one per file.
 */
import type { Transport } from "@drover/machinery";

export type TransportWrapper = (next: Transport) => Transport;

/** Wraps a transport, outermost first: `wrap(socket, userAgent, retry)` sends through userAgent, then retry, then socket. */
export function wrap(base: Transport, ...wrappers: readonly TransportWrapper[]): Transport {
  return wrappers.reduceRight((next, wrapper) => wrapper(next), base);
}
