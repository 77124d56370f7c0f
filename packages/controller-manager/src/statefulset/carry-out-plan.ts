/**
 * Executes a plan phase by phase and stops after the phase in which something failed.
 *
 *     StatefulSetPlan → replicas → claims of the surplus → surplus → outdated → pods taken down, and the error
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
  /** Pods deleted for the update. */
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
 * Executes the plan. Guarantees: with ordered management, no request is sent before the previous one succeeded. Never rejects for a
 * refusal by the server, so that the status can be written.
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
