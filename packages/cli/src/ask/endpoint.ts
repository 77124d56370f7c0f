/**
 * Where an operator answers: an address of this machine, or a port of a pod.
 *
 *     withOperator → Endpoint → askEndpoint
 */
import type { Duplex } from "node:stream";

/** A debug endpoint. */
export interface Endpoint {
  /** What it is, for messages: "127.0.0.1:4679", "port 4679 of pod shop/operator-0". */
  readonly name: string;
  /** Its loopback address, for the Host header: "127.0.0.1:4679". */
  readonly address: string;
  /** Opens a connection. Rejects with a `CommandError`. @default a socket to the address */
  readonly open?: (signal: AbortSignal) => Promise<Duplex>;
}
