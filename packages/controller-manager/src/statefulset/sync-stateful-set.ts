/**
 * One sync of one StatefulSet.
 *
 *     claim revisions and pods → syncRevisions → planStatefulSet → carryOutPlan → status → old revisions → when to sync again
 *
 * The other files of this folder decide; this one asks them in order and acts.
 */
import { StatefulSet } from "@drover/api/apps/v1";
import type { ControllerRevision } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { after, done, stop } from "@drover/controller";
import type { ReconcileContext, Result } from "@drover/controller";
import { SelectorError, selectorFromLabelSelector } from "@drover/machinery";
import type { Clock, Selector } from "@drover/machinery";
import { claimChildren, ownedChildren } from "@drover/patterns";
import { revisionControl } from "../history/revision-control.ts";
import { isNamespaceTerminating } from "../shared/pod-control.ts";
import { nextAvailabilityMs } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { carryOutPlan } from "./carry-out-plan.ts";
import { isMemberOf } from "./pod-identity.ts";
import { revisionsToForget, syncRevisions } from "./set-revisions.ts";
import { planStatefulSet } from "./stateful-set-plan.ts";
import type { StatefulSetRun } from "./stateful-set-run.ts";
import { statefulSetStatus, writeStatefulSetStatus } from "./stateful-set-status.ts";
import { minReadySecondsOf } from "./stateful-set-view.ts";
import type { StatefulSetStatusView, StatefulSetView } from "./stateful-set-view.ts";

export interface StatefulSetSyncOptions extends Omit<StatefulSetRun, "client" | "signal"> {
  readonly sets: Pick<InformerView<StatefulSet>, "get">;
  readonly pods: Pick<InformerView<Pod>, "byIndex" | "listIndexValues">;
  readonly revisions: Pick<InformerView<ControllerRevision>, "byIndex" | "listIndexValues">;
  readonly clock: Clock;
}

/**
 * Syncs a StatefulSet. Guarantees: writes the status even when a step for a pod failed; a set that is being deleted gets only a
 * status; a refusal because the namespace is terminating is no failure.
 */
export async function syncStatefulSet(
  { key, client, signal }: Pick<ReconcileContext, "key" | "client" | "signal">,
  options: StatefulSetSyncOptions,
): Promise<Result> {
  const set = options.sets.get(key);
  if (set === undefined) return done;
  const selector = selectorOf(set);
  if (typeof selector === "string") return stop(selector);
  try {
    return await syncOwn({ ...options, client, signal }, set, selector);
  } catch (error) {
    if (isNamespaceTerminating(error)) return done;
    throw error;
  }
}

async function syncOwn(run: StatefulSetRun & StatefulSetSyncOptions, set: StatefulSetView, selector: Selector): Promise<Result> {
  const { client, signal, clock } = run;
  const control = revisionControl({ ...run, owner: set, ownerKind: StatefulSet });
  const history = await control.claim(selector, { releases: false });
  const pods = await claimChildren<Pod>(ownedChildren<Pod>(run.pods, set, { orphans: true }), {
    owner: set,
    ownerKind: StatefulSet,
    childKind: Pod,
    selector,
    filter: (pod) => isMemberOf(set, pod),
    client,
    signal,
  });
  const now = clock.now();
  const { revisions, collisionCount } = await syncRevisions(set, history, control);
  const plan = planStatefulSet(set, revisions, pods, now);
  const { takenDown, ...outcome } = await carryOutPlan(run, set, plan);
  const status = statefulSetStatus(set, { pods: plan.pods, revisions, collisionCount, takenDown, now });
  await writeStatefulSetStatus(set, status, run).catch((error: unknown) => {
    // The error of a step matters more than one of the status write.
    throw "error" in outcome ? outcome.error : error;
  });
  for (const revision of revisionsToForget(set, history, revisions, pods)) await control.remove(revision);
  if ("error" in outcome) throw outcome.error;
  const waitMs = availabilityWait(set, pods, status, now);
  return waitMs === undefined ? done : after(waitMs);
}

function availabilityWait(
  set: StatefulSetView,
  pods: readonly PodView[],
  { readyReplicas, availableReplicas }: StatefulSetStatusView,
  now: number,
): number | undefined {
  const minReadySeconds = minReadySecondsOf(set);
  if (minReadySeconds === 0 || readyReplicas === availableReplicas) return undefined;
  return nextAvailabilityMs(pods, minReadySeconds, now) ?? minReadySeconds * 1000;
}

/** Returns the set's selector, or why it is invalid. */
function selectorOf({ metadata: { namespace, name }, spec }: StatefulSetView): Selector | string {
  try {
    return selectorFromLabelSelector(spec?.selector);
  } catch (error) {
    if (error instanceof SelectorError) return `error converting the selector of StatefulSet ${namespace}/${name}: ${error.message}`;
    throw error;
  }
}
