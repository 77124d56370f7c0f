/** Our server as probes see it: in this process, no sockets. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { nodeRuntime } from "drover";
import type { ProbeTarget } from "./session.ts";

/** A new server of ours, with nothing in it. */
export function ourTarget(): ProbeTarget {
  const server = createApiServer({ runtime: nodeRuntime({ write: () => undefined }), host: nodeHost });
  return { handle: async (request) => await (await server).handle(request), compact: async () => await (await server).compact() };
}
