/** Read-only StatefulSets and questions about them, with the server's defaults. */
import type { StatefulSet, StatefulSetStatus } from "@drover/api/apps/v1";
import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { replicasOf } from "../shared/replica-set-order.ts";

/** A read-only StatefulSet. */
export type StatefulSetView = DeepReadonly<StatefulSet>;
/** Its read-only status. */
export type StatefulSetStatusView = DeepReadonly<StatefulSetStatus>;
/** A read-only claim. */
export type ClaimView = DeepReadonly<PersistentVolumeClaim>;

/** Returns the ordinal of its first pod. */
export function startOrdinal({ spec }: StatefulSetView): number {
  return spec?.ordinals?.start ?? 0;
}

/** Whether the set wants a pod with this ordinal; others are surplus. */
export function isInRange(set: StatefulSetView, ordinal: number): boolean {
  const start = startOrdinal(set);
  return ordinal >= start && ordinal < start + replicasOf(set);
}

/** Whether pods are created and deleted in order, each waiting for the one before. */
export function isOrdered({ spec }: StatefulSetView): boolean {
  return spec?.podManagementPolicy !== "Parallel";
}

/** Whether the controller replaces outdated pods; otherwise users delete them. */
export function isRollingUpdate({ spec }: StatefulSetView): boolean {
  return (spec?.updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate";
}

/** Returns how many pods, from the first on, keep the current revision. */
export function partitionOf({ spec }: StatefulSetView): number {
  return spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
}

/** Returns how many seconds a pod has to be ready before it counts as available. */
export function minReadySecondsOf({ spec }: StatefulSetView): number {
  return spec?.minReadySeconds ?? 0;
}
