/**
 * What lives on the server of `drover up`: controllers, nodes and the objects of --apply.
 *
 *     up → (the server has answered) → live → onReady … signal → all of it ended
 *
 * A module of its own that is loaded late: whoever waits for the server waits for nothing of this.
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
  /** Is told what happens. */
  readonly tell: Tell;
  /** Is told that pods can be put on every node, and that the objects of --apply are there. */
  readonly onReady: () => void;
  readonly signal: AbortSignal;
}

/** Until the signal. Rejects with a `CommandError` for objects that cannot be applied. */
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
    { name: "the story of pods" },
  );
}

/** What is applied at the start is told as somebody's deed. */
function named(transport: Transport): Transport {
  return (request) => transport({ ...request, headers: { ...request.headers, "user-agent": "drover-up" } });
}

/** Until pods can be put on all of them: whoever comes earlier is put on the first. */
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
