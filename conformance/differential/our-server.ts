/** Our server as the target of probes: in this process, without sockets. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { nodeRuntime } from "drover";
import type { ProbeTarget } from "./session.ts";

/** A new, empty server of ours. */
export function ourTarget(): ProbeTarget {
  const server = createApiServer({ runtime: nodeRuntime({ write: () => undefined }), host: nodeHost, serviceCidr: "10.0.0.0/24" });
  return { handle: async (request) => await (await server).handle(request), compact: async () => await (await server).compact() };
}
