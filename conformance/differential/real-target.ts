/** The real server as the target of probes. */
import { nodeTransport } from "@drover/client";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { startRealServer } from "../servers/real-server.ts";
import type { ProbeTarget } from "./session.ts";

/**
 * Starts etcd and an API server with our server's default authorization: authenticated users may do everything, and
 * pods get no service accounts. All other admission is on; there are no controllers. The caller stops it.
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
