/** A server as the suites of client and cache see it, ours or the real one. */
import type { NodeTransport } from "@drover/client";
import type { Clock, Log } from "@drover/machinery";
import type { RealServer } from "./real-server.ts";

export interface SuiteServer extends RealServer {
  /** As administrator: without sockets for our server, with sockets for the real one. The caller must close it. */
  readonly transport: (deps: { readonly clock: Clock; readonly log: Log }) => NodeTransport;
}
