/** Serves a handler on a port, for probes and metrics: HTTP/1.1 without TLS, on Node's server. */
import { createServer } from "node:http";
import type { Listen } from "@drover/controller";
import { listenOn } from "./node-listener.ts";

/** Timeout for receiving the request head, and the whole request. */
const headersTimeoutMs = 32_000;
const idleTimeoutMs = 90_000;

/**
 * Opens the port. Ignores the Host header, because probes use addresses, and does not read request bodies. Rejects with
 * an error that names the address and the fix if it cannot listen.
 */
export const serveHttp: Listen = (handler, address) => {
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: headersTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    noDelay: true,
  });
  return listenOn(server, handler, address, { onEnd: "abort" });
};
