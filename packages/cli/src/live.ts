/**
 * Runs controllers, nodes and the objects of --apply on the server of `drover up`.
 *
 *     up → (server has answered) → live → onReady … signal → everything stopped
 *
 * A separate module that is loaded after the server has started, so that the server does not wait for it.
 */
import { Node, Pod } from "@drover/api/core/v1";
import { createTape } from "@drover/controller";
import { promptPods, startCluster, unhurriedPods } from "@drover/dev-cluster";
import type { DevCluster } from "@drover/dev-cluster";
import { poll } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import type { NodeRuntime } from "drover";
import { applyFiles } from "./apply-files.ts";
import type { UpOptions } from "./command-line.ts";
import type { LocalServer } from "./local-server.ts";
import type { Tell } from "./story/happening.ts";
import { podHappenings } from "./story/pod-happenings.ts";
import { tellRequests } from "./story/tell-requests.ts";
import { tellingTape } from "./story/telling-tape.ts";

export interface LivePlace {
  readonly server: LocalServer;
  readonly runtime: NodeRuntime;
  /** Called with every change to print. */
  readonly tell: Tell;
  /** Called when every node accepts pods and the objects of --apply exist. */
  readonly onReady: () => void;
  readonly signal: AbortSignal;
}

/** Runs until `signal` aborts. Rejects with a `CommandError` for objects that cannot be applied. */
export async function live(
  { nodes, instant, apply, story: form }: UpOptions,
  { server, runtime, tell, onReady, signal }: LivePlace,
): Promise<void> {
  const isTold = form !== "none";
  const cluster = await startCluster({
    runtime,
    on: server.server,
    authorityPem: server.authorityPem,
    nodes,
    pods: instant ? promptPods : unhurriedPods,
    ...(isTold ? { tape: tellingTape(createTape(runtime), tell) } : {}),
  });
  if (isTold) tellPods(cluster, tell);
  try {
    await allReady(cluster, runtime, signal);
    await applyFiles(apply, { transport: named(tellRequests(cluster.transport, tell)), runtime });
    onReady();
    await untilAborted(signal);
  } finally {
    await cluster.stop();
  }
}

function tellPods({ manager }: DevCluster, tell: Tell): void {
  const { informer } = manager.cluster.informers.acquire(Pod, { keepManagedFields: false });
  informer.addHandler(
    (change) => {
      const happenings =
        change.type === "deleted"
          ? podHappenings(change.object, undefined)
          : podHappenings(change.type === "updated" ? change.before : undefined, change.object);
      for (const happening of happenings) tell(happening);
    },
    { name: "printed pod changes" },
  );
}

/** Names the writer of the objects of --apply in the output. */
function named(transport: Transport): Transport {
  return (request) => transport({ ...request, headers: { ...request.headers, "user-agent": "drover-up" } });
}

/** Waits until all nodes accept pods: earlier pods would all be scheduled to the first node. */
async function allReady({ manager, kubelets }: DevCluster, { clock }: NodeRuntime, signal: AbortSignal): Promise<void> {
  const { informer } = manager.cluster.informers.acquire(Node, { keepManagedFields: false });
  const count = kubelets.nodes.length;
  const isReady = (): boolean => informer.list().filter(({ spec }) => (spec?.taints ?? []).length === 0).length >= count;
  await poll(clock, { interval: 20, immediate: true, signal }, isReady).catch(() => undefined);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
