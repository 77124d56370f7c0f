/**
 * The status of a ReplicaSet: how many pods exist, are ready and available, and whether creating or deleting them fails.
 *
 *     pods, the outcome of managing them → replicaSetStatus → sameReplicaSetStatus? → written
 */
import type { ReplicaSetCondition, ReplicaSetStatus } from "@drover/api/apps/v1";
import { errorText, formatTime, semanticEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isPodAvailable, isPodReady } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import type { ManageOutcome } from "./manage-replicas.ts";

/** Input of a status. */
export interface ReplicaSetFacts {
  readonly active: readonly PodView[];
  readonly terminating: readonly PodView[];
  readonly outcome: ManageOutcome;
  readonly now: number;
}

type StatusView = DeepReadonly<ReplicaSetStatus>;

/** Returns the desired status; an unchanged failure keeps its condition. */
export function replicaSetStatus(replicaSet: ReplicaSetView, { active, terminating, outcome, now }: ReplicaSetFacts): StatusView {
  const { minReadySeconds = 0, template = {} } = replicaSet.spec ?? {};
  const ready = active.filter(isPodReady);
  const labels = Object.entries(template.metadata?.labels ?? {});
  const conditions = conditionsAfter(replicaSet, active.length, outcome, now);
  return {
    replicas: active.length,
    fullyLabeledReplicas: active.filter((pod) => hasLabels(pod, labels)).length,
    readyReplicas: ready.length,
    availableReplicas: minReadySeconds === 0 ? ready.length : ready.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length,
    terminatingReplicas: terminating.length,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

/** Whether writing the second over the first would change nothing. */
export function sameReplicaSetStatus(before: StatusView | undefined, after: StatusView): boolean {
  const counts = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"] as const;
  return (
    counts.every((count) => (before?.[count] ?? 0) === (after[count] ?? 0)) &&
    before?.terminatingReplicas === after.terminatingReplicas &&
    semanticEqual(before?.conditions, after.conditions)
  );
}

const failure = "ReplicaFailure";

function conditionsAfter(
  { spec = { selector: {} }, status }: ReplicaSetView,
  active: number,
  { error }: ManageOutcome,
  now: number,
): readonly DeepReadonly<ReplicaSetCondition>[] {
  const conditions = status?.conditions ?? [];
  if (error === undefined) return conditions.filter(({ type }) => type !== failure);
  if (conditions.some(({ type }) => type === failure)) return conditions;
  const reason = active < replicasOf({ spec }) ? "FailedCreate" : "FailedDelete";
  return [...conditions, { type: failure, status: "True", lastTransitionTime: formatTime(now), reason, message: errorText(error) }];
}

function hasLabels({ metadata: { labels = {} } }: PodView, wanted: readonly (readonly [string, string])[]): boolean {
  return wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}
