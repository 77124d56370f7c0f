/** Our server as the target of probes: in this process, without sockets. */
import { setImmediate as turn } from "node:timers/promises";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { nodeRuntime } from "drover";
import { memory } from "./our-stores.ts";
import type { OurStore } from "./our-stores.ts";
import type { ProbeTarget } from "./session.ts";

/** The administrator has the same name as on the real server. */
const token = "admin";
const peer = { inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" };

/** A target that keeps a store open. */
export interface OurTarget extends ProbeTarget {
  /** Ends the server and its store; nothing of it is left. */
  readonly end: () => Promise<void>;
}

/** A new, empty server of ours. */
export function ourTarget(store: OurStore = memory): OurTarget {
  const runtime = nodeRuntime({ write: () => undefined });
  const opened = store.open(runtime);
  // The settings of the real one in real-target.ts.
  const server = opened.then(({ options }) =>
    createApiServer({
      ...options,
      runtime,
      host: nodeHost,
      authorizationModes: ["AlwaysAllow"],
      serviceCidr: "10.0.0.0/24",
      tokens: [{ token, user: { name: "admin", uid: "admin", groups: ["system:masters"] } }],
    }),
  );
  return {
    handle: async (request) => {
      // As a socket would: without it, probes that never wait keep webhooks from being read until their timeouts have passed.
      await turn();
      const { authorization = `Bearer ${token}`, ...headers } = request.headers;
      return await (await server).connection(peer)({ ...request, headers: authorization === "" ? headers : { ...headers, authorization } });
    },
    compact: async () => await (await server).compact(),
    end: async () => {
      (await server).close();
      await (await opened).end();
    },
  };
}
