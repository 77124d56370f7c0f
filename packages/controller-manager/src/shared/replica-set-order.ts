/** In which order ReplicaSets are looked at: by age, or by size and then by age. */
import type { ReplicaSet } from "@drover/api/apps/v1";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { timeMs } from "./object-time.ts";

/** A ReplicaSet that is looked at. */
export type ReplicaSetView = DeepReadonly<ReplicaSet>;

/** Below zero when `a` comes before `b`. */
export type ReplicaSetOrder = (a: ReplicaSetView, b: ReplicaSetView) => number;

/** How many pods it is to have; the server says 1 where nobody does. */
export function replicasOf({ spec }: { readonly spec?: { readonly replicas?: number } }): number {
  return spec?.replicas ?? 1;
}

/** The oldest first, by name among those of one second. */
export const byCreation: ReplicaSetOrder = (a, b) =>
  createdAt(a) - createdAt(b) || compareBytes(a.metadata.name ?? "", b.metadata.name ?? "");

/** The largest first, of equals the newest. */
export const bySizeNewer: ReplicaSetOrder = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(b, a);

/** The largest first, of equals the oldest. */
export const bySizeOlder: ReplicaSetOrder = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(a, b);

const createdAt = ({ metadata }: ReplicaSetView): number => timeMs(metadata.creationTimestamp) ?? 0;
