/**
 * Runs controllers, nodes and the objects of --apply on the server of `drover up`.
 *
 *     up → (server has answered) → live → onReady … signal → everything stopped
 *
 * A separate module that is loaded after the server has started, so that the server does not wait for it.
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Node, Pod } from "@drover/api/core/v1";
import { createTape } from "@drover/controller";
import { promptPods, startCluster, unhurriedPods } from "@drover/dev-cluster";
import type { DevCluster } from "@drover/dev-cluster";
import { poll } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import type { NodeRuntime } from "drover";
import { applyFiles, applyLate } from "./apply-files.ts";
import { clientsFirst } from "./clients-first.ts";
import type { UpOptions } from "./command-line.ts";
import type { LocalServer } from "./local-server.ts";
import type { Report } from "./changes/change-line.ts";
import type { KindWords } from "./changes/kind-words.ts";
import { podChanges } from "./changes/pod-changes.ts";
import { reportRequests } from "./changes/report-requests.ts";
import { reportingTape } from "./changes/reporting-tape.ts";

/** Server, runtime and callbacks of `live`. */
export interface LivePlace {
  readonly server: LocalServer;
  readonly runtime: NodeRuntime;
  /** Called with every change to print. */
  readonly report: Report;
  readonly kinds: KindWords;
  /** Receives warnings. */
  readonly warn: (message: string) => void;
  /** Called when every node accepts pods and the objects of --apply exist, except those of kinds that a program may install. */
  readonly onReady: () => void;
  readonly signal: AbortSignal;
}

/** Runs until `signal` aborts. Rejects with a `CommandError` for objects that cannot be applied. */
export async function live(
  { nodes, instant, apply, run, output: form }: UpOptions,
  { server, runtime, report, kinds, warn, onReady, signal }: LivePlace,
): Promise<void> {
  const isReported = form !== "none";
  const cluster = await startCluster({
    runtime,
    on: server.server,
    holdMs: 20,
    giveWay: clientsFirst({ clock: runtime.clock, heardMs: server.heardMs }),
    authorityPem: server.authorityPem,
    tokenSigner: () => server.tokenSigner,
    nodes,
    pods: instant ? promptPods : unhurriedPods,
    ...(isReported ? { tape: reportingTape(createTape(runtime), { report, kinds }) } : {}),
  });
  if (isReported) reportPods(cluster, report);
  if (isReported) learnKinds(cluster, kinds);
  try {
    await allReady(cluster, runtime, signal);
    const place = { transport: named(reportRequests(cluster.transport, { report, kinds })), runtime, signal };
    const late = await applyFiles(apply, { ...place, mayWait: run.length > 0 });
    onReady();
    await Promise.all([applyLate(late, { ...place, report, warn }), untilAborted(signal)]);
  } finally {
    await cluster.stop();
  }
}

function reportPods({ manager }: DevCluster, report: Report): void {
  const { informer } = manager.cluster.informers.acquire(Pod, { keepManagedFields: false });
  informer.addHandler(
    (change) => {
      const lines =
        change.type === "deleted"
          ? podChanges(change.object, undefined)
          : podChanges(change.type === "updated" ? change.before : undefined, change.object);
      for (const line of lines) report(line);
    },
    { name: "printed pod changes" },
  );
}

/** Custom kinds by their definitions, also those of earlier runs. */
function learnKinds({ manager }: DevCluster, kinds: KindWords): void {
  const { informer } = manager.cluster.informers.acquire(CustomResourceDefinition, { keepManagedFields: false });
  informer.addHandler(
    ({ object: { spec } }) => {
      kinds.learn({ group: spec.group, resource: spec.names.plural }, spec.names.kind);
    },
    { name: "kinds of printed changes" },
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
