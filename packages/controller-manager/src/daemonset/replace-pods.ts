/** An update that deletes first: old pods make room on their node, and the new ones are created when the nodes are next looked at. */
import { isPodAvailable } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import { oldAndNew } from "./old-and-new.ts";

export interface ReplacePodsOptions {
  readonly hash: string;
  readonly now: number;
  /** On how many nodes the pod may be missing. */
  readonly unavailableMax: number;
}

/** The old pods to delete: all that are of no use anyway, and of the others so many that no more nodes are without than may be. */
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
      // None, or too many: it is put in order elsewhere, and counts as missing until then.
      unavailable++;
    }
  }
  return [...useless, ...candidates.slice(0, Math.max(0, unavailableMax - unavailable))];
}
