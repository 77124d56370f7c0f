/** The pods of one node during an update: one old, one new. */
import { definedOnly } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { isUpdated } from "./daemon-set-view.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";

export interface OldAndNew {
  readonly oldPod?: PodView;
  readonly newPod?: PodView;
}

/** Returns them from the pods that are not being deleted; undefined when two are of the same revision, of which one has to go first. */
export function oldAndNew(daemonSet: DaemonSetView, pods: readonly PodView[], hash: string): OldAndNew | undefined {
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const updated = new Set(staying.filter((pod) => isUpdated(pod, daemonSet, hash)));
  const [newPod, ...moreNew] = updated;
  const [oldPod, ...moreOld] = staying.filter((pod) => !updated.has(pod));
  if (moreNew.length > 0 || moreOld.length > 0) return undefined;
  return definedOnly({ oldPod, newPod });
}
