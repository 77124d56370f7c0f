/** The port to sockets that the manager serves through; the facade has one on Node's HTTP server, tests have one without sockets. */
import type { Transport } from "@drover/machinery";

export interface ListenAddress {
  /** The address to listen on; all of them when it is empty. */
  readonly host: string;
  /** 0 lets the system choose a free one. */
  readonly port: number;
}

/** A port that is open. */
export interface Listening {
  /** Where it is, with the port that was chosen: "127.0.0.1:8081", "[::]:8081". */
  readonly address: string;
  /** Serves until the signal is aborted, then lets nobody in any more and resolves when the last connection is closed. */
  run(signal: AbortSignal): Promise<void>;
}

/** Opens a port; requests are answered from then on. Rejects with an error that names the address when it cannot be had. */
export type Listen = (handler: Transport, address: ListenAddress) => Promise<Listening>;
