/** An update that creates first: a new pod beside the old one, which is deleted when the new one is available. */
import { isPodAvailable } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import type { NodeFit } from "./node-fit.ts";
import { oldAndNew } from "./old-and-new.ts";
import type { OldAndNew } from "./old-and-new.ts";
import type { PodChanges } from "./pod-changes.ts";

/** A node during an update. */
export interface UpdatePlace {
  readonly name: string;
  /** Undefined for a node that is gone; the pod garbage collector deletes its pods. */
  readonly fit: NodeFit | undefined;
  readonly pods: readonly PodView[];
}

export interface SurgePodsOptions {
  readonly hash: string;
  readonly now: number;
  /** On how many nodes there may be two pods. */
  readonly surgeMax: number;
  /** How many nodes should run a pod. */
  readonly desired: number;
}

/**
 * Plans the update. Nodes whose old pod is unavailable get a new one at once. An old pod on a node that should no longer run one is
 * deleted only when enough others are available, so that a DaemonSet that moves between nodes always has some available.
 */
export function surgePods(
  daemonSet: DaemonSetView,
  places: readonly UpdatePlace[],
  { hash, now, surgeMax, desired }: SurgePodsOptions,
): PodChanges {
  const isAvailable = (pod: PodView | undefined): boolean =>
    pod !== undefined && isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, now);
  const known = places.flatMap(({ name, fit, pods }) => (fit === undefined ? [] : [{ name, fit, pair: oldAndNew(daemonSet, pods, hash) }]));
  const moves = known.flatMap(({ name, fit, pair }) => (pair === undefined ? [] : [{ name, pair, type: moveOf(pair, fit, isAvailable) }]));
  const of = (wanted: Move): typeof moves => moves.filter(({ type }) => type === wanted);
  const surging = known.length - moves.length + of("wait").length;
  const available = moves.filter(({ pair: { oldPod, newPod } }) => isAvailable(oldPod ?? newPod)).length;
  const candidates = of("surge").slice(0, Math.max(0, surgeMax - surging));
  const leaving = of("leave").slice(0, Math.max(0, available - desired));
  return {
    nodes: [...of("create"), ...candidates].map(({ name }) => name),
    deletions: [...of("delete"), ...leaving].flatMap(({ pair: { oldPod } }) => (oldPod === undefined ? [] : [oldPod])),
  };
}

/**
 * What a node needs: nothing, its new pod to become available, a new pod now or within the budget, its old pod deleted now or when
 * others suffice.
 */
type Move = "none" | "wait" | "create" | "surge" | "delete" | "leave";

function moveOf({ oldPod, newPod }: OldAndNew, { shouldRun }: NodeFit, isAvailable: (pod: PodView | undefined) => boolean): Move {
  if (oldPod === undefined) return "none";
  if (newPod !== undefined) return isAvailable(newPod) ? "delete" : "wait";
  if (!shouldRun) return isAvailable(oldPod) ? "leave" : "delete";
  return isAvailable(oldPod) ? "surge" : "create";
}
