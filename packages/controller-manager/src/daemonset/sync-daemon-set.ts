/**
 * One sync of one DaemonSet: every node that should run its pod gets one, no other keeps one, and pods move to the current
 * template.
 *
 *     claimChildren → readHistory → planNodes → placePods → rollingUpdate → placePods → surplusRevisions → daemonSetCounts → writeDaemonSetStatus
 */
import { DaemonSet } from "@drover/api/apps/v1";
import type { ControllerRevision } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { Node } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { after, done, retry, stop } from "@drover/controller";
import type { EventRecorder, ReconcileContext, Result } from "@drover/controller";
import { definedOnly, SelectorError, selectorFromLabelSelector } from "@drover/machinery";
import type { Clock, Random, Selector } from "@drover/machinery";
import { claimChildren, ownedChildren } from "@drover/patterns";
import type { Expectations } from "@drover/patterns";
import { revisionControl } from "../history/revision-control.ts";
import type { RevisionControl } from "../history/revision-control.ts";
import { nextAvailabilityMs } from "../shared/pod-state.ts";
import { readHistory, surplusRevisions } from "./daemon-history.ts";
import type { DaemonHistory } from "./daemon-history.ts";
import { daemonSetCounts } from "./daemon-set-status.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import type { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { nodeJudge } from "./node-fit.ts";
import { placePods } from "./place-pods.ts";
import type { PlaceOutcome } from "./place-pods.ts";
import { planNodes } from "./plan-nodes.ts";
import { podsByNode } from "./pods-by-node.ts";
import { rollingUpdate } from "./rolling-update.ts";
import type { UpdateFacts } from "./rolling-update.ts";
import { writeDaemonSetStatus } from "./write-daemon-set-status.ts";

export interface DaemonSetSyncOptions {
  readonly daemonSets: Pick<InformerView<DaemonSet>, "get">;
  readonly nodes: Pick<InformerView<Node>, "list">;
  readonly pods: Pick<InformerView<Pod>, "byIndex" | "listIndexValues">;
  readonly revisions: Pick<InformerView<ControllerRevision>, "byIndex" | "listIndexValues">;
  readonly expectations: Expectations;
  readonly backoff: FailedPodBackoff;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  /** Maximum pods that one sync creates, and maximum that it deletes. */
  readonly burst: number;
  /** Milliseconds until expectations expire, after which the key is synced again. */
  readonly expectationsMs: number;
}

type Run = Pick<ReconcileContext, "key" | "client" | "signal">;

/**
 * Syncs a DaemonSet. Guarantees: writes the status even when pods could not be created or deleted. While expectations are unmet it
 * writes nothing but the status, and leaves `observedGeneration` as it is. Leaves a DaemonSet that is being deleted alone: others
 * may own its pods and revisions by now.
 */
export async function syncDaemonSet(run: Run, options: DaemonSetSyncOptions): Promise<Result> {
  const { key, client, signal } = run;
  const { daemonSets, expectations, revisions, random, events, clock } = options;
  const daemonSet = daemonSets.get(key);
  if (daemonSet === undefined) {
    expectations.forget(key);
    return done;
  }
  const selector = selectorOf(daemonSet);
  if (typeof selector === "string") return stop(selector);
  if (selector.isEverything) {
    events.eventf({
      regarding: daemonSet,
      type: "Warning",
      reason: "SelectingAll",
      action: "SelectPods",
      note: "This daemon set is selecting all pods. A non-empty selector is required.",
    });
    return done;
  }
  if (daemonSet.metadata.deletionTimestamp !== undefined) return done;
  // Read before the pods are listed: what is observed later is not in the list.
  const isSatisfied = expectations.satisfied(key);
  const candidates = ownedChildren<Pod>(options.pods, daemonSet, { orphans: true });
  const claimed = await claimChildren(candidates, { owner: daemonSet, ownerKind: DaemonSet, childKind: Pod, selector, client, signal });
  const control = revisionControl({ owner: daemonSet, ownerKind: DaemonSet, client, revisions, random, signal });
  const history = await readHistory(daemonSet, { client, control, selector, pods: claimed });
  const { hash, collisionCount } = history;
  const facts: UpdateFacts = {
    nodes: options.nodes.list(),
    judge: nodeJudge(daemonSet),
    podsByNode: podsByNode(history.pods),
    hash,
    now: clock.now(),
  };
  const { waits, ...outcome } = isSatisfied
    ? await update(daemonSet, facts, history, control, run, options)
    : { waits: [options.expectationsMs + 1] };
  const counts = daemonSetCounts(daemonSet, facts);
  await writeDaemonSetStatus(client, daemonSet, {
    ...counts,
    ...(isSatisfied ? { observedGeneration: daemonSet.metadata.generation ?? 0 } : {}),
    ...definedOnly({ collisionCount }),
  });
  if ("error" in outcome) return retry(outcome.error);
  const soonest = Math.min(...waits, ...availabilityWait(daemonSet, facts, counts));
  return soonest === Infinity ? done : after(soonest);
}

/** Returns the DaemonSet's selector, or why it is invalid. */
function selectorOf({ metadata: { namespace, name }, spec }: DaemonSetView): Selector | string {
  try {
    return selectorFromLabelSelector(spec?.selector);
  } catch (error) {
    if (error instanceof SelectorError) return `error converting pod selector to selector for ds ${namespace}/${name}: ${error.message}`;
    throw error;
  }
}

interface UpdateOutcome extends PlaceOutcome {
  readonly waits: readonly number[];
}

/** Nodes first. Replaces pods and deletes old revisions only in a sync that had nothing else to do. */
async function update(
  daemonSet: DaemonSetView,
  facts: UpdateFacts,
  history: DaemonHistory,
  revisions: RevisionControl,
  { client, signal }: Run,
  options: DaemonSetSyncOptions,
): Promise<UpdateOutcome> {
  const { expectations, burst, events } = options;
  const placing = { control: { client, signal, events }, expectations, burst, hash: facts.hash };
  const { waits, ...plan } = planNodes(daemonSet, facts, options);
  const isInOrder = plan.nodes.length === 0 && plan.deletions.length === 0;
  const outcome = await placePods(daemonSet, isInOrder ? rollingUpdate(daemonSet, facts) : plan, placing);
  if ("error" in outcome) return { ...outcome, waits };
  try {
    for (const revision of surplusRevisions(daemonSet, history, history.pods)) await revisions.remove(revision);
  } catch (error) {
    signal.throwIfAborted();
    return { error, waits };
  }
  return { waits };
}

/**
 * When a pod becomes available. Includes a second pod of a node, which the status does not count, because the first one is deleted
 * then.
 */
function availabilityWait(
  { spec }: DaemonSetView,
  { podsByNode: byNode, now }: UpdateFacts,
  { numberReady, numberAvailable }: ReturnType<typeof daemonSetCounts>,
): readonly number[] {
  const { minReadySeconds = 0 } = spec ?? {};
  const nextMs = nextAvailabilityMs([...byNode.values()].flat(), minReadySeconds, now);
  if (nextMs !== undefined) return [nextMs];
  return minReadySeconds > 0 && numberReady !== numberAvailable ? [minReadySeconds * 1000] : [];
}
