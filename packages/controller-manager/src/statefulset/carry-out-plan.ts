/**
 * Does what a plan says, phase by phase, and stops behind the phase in which something failed.
 *
 *     StatefulSetPlan → replicas → claims of the surplus → surplus → outdated → what was taken down, and what went wrong
 */
import { slowStart } from "@drover/patterns";
import type { PodView } from "../shared/pod-state.ts";
import { areClaimsRight, fixClaimOwners } from "./claim-control.ts";
import type { ReplicaTask } from "./replica-steps.ts";
import { conformStatefulPod, createStatefulPod, fillClaims, removeStatefulPod } from "./stateful-pod-control.ts";
import type { StatefulSetPlan } from "./stateful-set-plan.ts";
import type { Outcome, StatefulSetRun } from "./stateful-set-run.ts";
import { isOrdered } from "./stateful-set-view.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";

export interface CarriedOut extends Outcome {
  /** Pods that were taken down for the update. */
  readonly takenDown: readonly PodView[];
}

type Work = (run: StatefulSetRun, set: StatefulSetView, pod: PodView) => Promise<void>;

const works: Readonly<Record<ReplicaTask, Work>> = {
  remove: removeStatefulPod,
  create: createStatefulPod,
  fillClaims,
  conform: conformStatefulPod,
};

/**
 * Guarantees: in order no request leaves before the one ahead of it has succeeded. Never rejects for a refusal of the
 * server, so that the status can be told.
 */
export async function carryOutPlan(run: StatefulSetRun, set: StatefulSetView, plan: StatefulSetPlan): Promise<CarriedOut> {
  const takenDown: PodView[] = [];
  try {
    await forEach(run, set, plan.steps, async ({ pod, tasks }) => {
      for (const task of tasks) await works[task](run, set, pod);
    });
    await forEach(run, set, plan.condemned, async (pod) => {
      if (!areClaimsRight(run, set, pod)) await fixClaimOwners(run, set, pod);
    });
    await forEach(run, set, plan.surplus, (pod) => removeStatefulPod(run, set, pod));
    for (const pod of plan.outdated) {
      await removeStatefulPod(run, set, pod);
      takenDown.push(pod);
    }
    return { takenDown };
  } catch (error) {
    run.signal.throwIfAborted();
    return { takenDown, error };
  }
}

/** One after the other, or in batches that double. */
async function forEach<T>(
  { signal }: StatefulSetRun,
  set: StatefulSetView,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  if (isOrdered(set)) {
    for (const item of items) await work(item);
    return;
  }
  const outcome = await slowStart(
    items.length,
    async (index) => {
      for (const item of items.slice(index, index + 1)) await work(item);
    },
    { signal },
  );
  if ("error" in outcome) throw outcome.error;
}
