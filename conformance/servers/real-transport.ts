/** A real API server as a `Transport`: sockets and the administrator's token, and nothing that would hide what clients send. */
import { nodeTransport } from "@drover/client";
import type { NodeTransport } from "@drover/client";
import type { Clock, HttpRequest, Log } from "@drover/machinery";
import type { RealServer } from "./real-server.ts";

/** The caller must close it. */
export function realTransport({ url, ca, token }: RealServer, { clock, log }: { readonly clock: Clock; readonly log: Log }): NodeTransport {
  const sockets = nodeTransport({ server: url, clock, log, tls: () => Promise.resolve({ generation: 1, ca: ca, insecure: false }) });
  const send = (request: HttpRequest): ReturnType<NodeTransport> =>
    sockets({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
  return Object.assign(send, { close: sockets.close });
}
