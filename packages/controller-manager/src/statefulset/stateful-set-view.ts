/** StatefulSets as this folder looks at them: what they ask for, with the server's defaults where nobody said anything. */
import type { StatefulSet, StatefulSetStatus } from "@drover/api/apps/v1";
import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { replicasOf } from "../shared/replica-set-order.ts";

/** A StatefulSet that is looked at. */
export type StatefulSetView = DeepReadonly<StatefulSet>;
/** Its status. */
export type StatefulSetStatusView = DeepReadonly<StatefulSetStatus>;
/** A volume claim that is looked at. */
export type ClaimView = DeepReadonly<PersistentVolumeClaim>;

/** The number of its first pod. */
export function startOrdinal({ spec }: StatefulSetView): number {
  return spec?.ordinals?.start ?? 0;
}

/** Whether a pod of this number is one it asks for; the others are to go. */
export function isInRange(set: StatefulSetView, ordinal: number): boolean {
  const start = startOrdinal(set);
  return ordinal >= start && ordinal < start + replicasOf(set);
}

/** Whether pods come and go one after the other, each waiting for the one before. */
export function isOrdered({ spec }: StatefulSetView): boolean {
  return spec?.podManagementPolicy !== "Parallel";
}

/** Whether pods are taken down so that they come back as the template has them; otherwise somebody else has to. */
export function isRollingUpdate({ spec }: StatefulSetView): boolean {
  return (spec?.updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate";
}

/** How many pods, from the first on, keep the template from before. */
export function partitionOf({ spec }: StatefulSetView): number {
  return spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
}

/** For how long a pod has to be ready before it counts as available, in seconds. */
export function minReadySecondsOf({ spec }: StatefulSetView): number {
  return spec?.minReadySeconds ?? 0;
}
