/** The real server as probes see it. */
import { nodeTransport } from "@drover/client";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { startRealServer } from "../servers/real-server.ts";
import type { ProbeTarget } from "./session.ts";

/**
 * Starts etcd and an API server that decides as ours does by default: everybody who is known may do everything, and no
 * service accounts are put into pods. All other admission is on; there are no controllers. Whoever starts it stops it.
 */
export async function startRealTarget(): Promise<ProbeTarget & { readonly stop: () => Promise<void> }> {
  const { url, ca, token, compact, stop } = await startRealServer({ history: "etcd", authorization: "AlwaysAllow" });
  const { clock } = nodeRuntime();
  const sockets = nodeTransport({
    server: url,
    clock,
    log: recordingLog(clock),
    tls: () => Promise.resolve({ generation: 1, ca, insecure: false }),
    disableCompression: true,
  });
  return {
    handle: (request) => {
      const { authorization = `Bearer ${token}`, ...headers } = request.headers;
      return sockets({ ...request, headers: authorization === "" ? headers : { ...headers, authorization } });
    },
    compact,
    stop: async () => {
      sockets.close();
      await stop();
    },
  };
}
