/** Runs a harness on a given cluster: in real time, in a namespace that is created for the harness and deleted with it. */
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { Namespace } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import type { ClusterAccess } from "@drover/client";
import { nodeCrypto } from "@drover/machinery/node";
import type { Transport } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { connect } from "../connect.ts";
import { nodeRuntime } from "../node-runtime.ts";
import { webhookServing } from "../run-webhooks.ts";
import { serveHttps } from "../serve-https.ts";
import type { Ground } from "./ground.ts";
import type { HarnessCluster, HarnessOptions } from "./harness-options.ts";
import { LivePace } from "./live-pace.ts";

/** Connects to the cluster and creates the namespace. */
export async function clusterGround(
  on: HarnessCluster,
  { namespace, waitMs = 30_000, quietMs = 300, webhooks = {} }: HarnessOptions,
): Promise<Ground> {
  const { transport, access, disconnect } = await connectionTo(on);
  const runtime = nodeRuntime({ write: () => undefined });
  const log = recordingLog(runtime.clock);
  const own = namespace ?? `harness-${runtime.uid().slice(0, 8)}`;
  const client = createClient({ transport, clock: runtime.clock, log, namespace: own, fieldManager: "drover-harness" });
  await client.create(Namespace, { metadata: { name: own } });
  return {
    kind: "cluster",
    transport,
    namespace: own,
    log,
    webhooks:
      webhooks === false || access === undefined
        ? false
        : (needs) =>
            webhookServing(
              webhooks,
              { name: own, podNamespace: undefined, access, namespace: own, ...needs },
              { listen: serveHttps, crypto: nodeCrypto },
            ),
    turn: () => turn(),
    pace: new LivePace({ realTime: () => performance.now(), pause: (ms) => pause(ms), quietMs, waitMs }),
    runtime: () => ({ ...nodeRuntime(), log }),
    close: async () => {
      await client.delete(Namespace, own);
      await disconnect();
    },
  };
}

interface ClusterConnection {
  readonly transport: Transport;
  /** Undefined if only a transport was passed in. */
  readonly access: Pick<ClusterAccess, "server"> | undefined;
  readonly disconnect: () => Promise<void>;
}

/** Connections that were passed in stay open. */
async function connectionTo(on: HarnessCluster): Promise<ClusterConnection> {
  const leave = (): Promise<void> => Promise.resolve();
  if (typeof on === "function") return { transport: on, access: undefined, disconnect: leave };
  if ("transport" in on) return { transport: on.transport, access: on.access, disconnect: leave };
  const connection = await connect({ ...on, runtime: nodeRuntime({ logLevel: "error" }) });
  return { transport: connection.transport, access: connection.access, disconnect: () => connection.close() };
}
