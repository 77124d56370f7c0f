/** A server as the suites of client and cache see it, whichever it is. */
import type { NodeTransport } from "@drover/client";
import type { Clock, Log } from "@drover/machinery";
import type { RealServer } from "./real-server.ts";

export interface SuiteServer extends RealServer {
  /** As its administrator: of our server without sockets, of the real one over them. Whoever makes one closes it. */
  readonly transport: (deps: { readonly clock: Clock; readonly log: Log }) => NodeTransport;
}
