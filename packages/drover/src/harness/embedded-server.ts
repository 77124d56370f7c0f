/**
 * The API server of a harness. Its imports are static, so that the published package contains only the parts of the server that a harness
 * uses: no listener, no store on disk or on etcd.
 */
import { createApiServer } from "@drover/apiserver";
import type { ApiServer, ApiServerOptions } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";

export function embeddedServer(options: Omit<ApiServerOptions, "host">): Promise<ApiServer> {
  return createApiServer({ ...options, host: nodeHost });
}
