/** The interface through which the manager opens ports. `drover` implements it on Node's HTTP server, tests without sockets. */
import type { Transport } from "@drover/machinery";

/** Address of a port to open. */
export interface ListenAddress {
  /** Address to listen on; empty for all addresses. */
  readonly host: string;
  /** Port; 0 lets the system choose a free one. */
  readonly port: number;
}

/** An open port. */
export interface Listening {
  /** Address with the actual port: "127.0.0.1:8081", "[::]:8081". */
  readonly address: string;
  /** Serves until the signal aborts, then accepts no more connections and resolves when the last one is closed. */
  run(signal: AbortSignal): Promise<void>;
}

/** Opens a port and answers requests from then on. Rejects with an error that names the address if it cannot be opened. */
export type Listen = (handler: Transport, address: ListenAddress) => Promise<Listening>;
