/** Orders of ReplicaSets: by age, or by size and then by age. */
import type { ReplicaSet } from "@drover/api/apps/v1";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { timeMs } from "./object-time.ts";

/** A read-only ReplicaSet. */
export type ReplicaSetView = DeepReadonly<ReplicaSet>;

/** Below zero when `a` comes before `b`. */
export type ReplicaSetOrder = (a: ReplicaSetView, b: ReplicaSetView) => number;

/** Returns the desired replicas; the server's default is 1. */
export function replicasOf({ spec }: { readonly spec?: { readonly replicas?: number } }): number {
  return spec?.replicas ?? 1;
}

/** Oldest first, then by name. */
export const byCreation: ReplicaSetOrder = (a, b) =>
  createdAt(a) - createdAt(b) || compareBytes(a.metadata.name ?? "", b.metadata.name ?? "");

/** Largest first, then newest. */
export const bySizeNewer: ReplicaSetOrder = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(b, a);

/** Largest first, then oldest. */
export const bySizeOlder: ReplicaSetOrder = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(a, b);

const createdAt = ({ metadata }: ReplicaSetView): number => timeMs(metadata.creationTimestamp) ?? 0;
