/** An update that deletes first: old pods make room on their node, and a later sync creates the new ones. */
import { isPodAvailable } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import { oldAndNew } from "./old-and-new.ts";

export interface ReplacePodsOptions {
  readonly hash: string;
  readonly now: number;
  /** On how many nodes the pod may be unavailable. */
  readonly unavailableMax: number;
}

/** Returns the old pods to delete: all that are unavailable anyway, and as many others as `unavailableMax` allows. */
export function replacePods(
  daemonSet: DaemonSetView,
  places: readonly { readonly pods: readonly PodView[] }[],
  { hash, now, unavailableMax }: ReplacePodsOptions,
): readonly PodView[] {
  const isAvailable = (pod: PodView): boolean => isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, now);
  const useless: PodView[] = [];
  const candidates: PodView[] = [];
  let unavailable = 0;
  for (const { pods } of places) {
    const { oldPod, newPod } = oldAndNew(daemonSet, pods, hash) ?? {};
    if (oldPod !== undefined && newPod === undefined) {
      (isAvailable(oldPod) ? candidates : useless).push(oldPod);
      if (!isAvailable(oldPod)) unavailable++;
    } else if (oldPod !== undefined || newPod === undefined || !isAvailable(newPod)) {
      // No pod, or too many: other code handles the node, which counts as unavailable until then.
      unavailable++;
    }
  }
  return [...useless, ...candidates.slice(0, Math.max(0, unavailableMax - unavailable))];
}
