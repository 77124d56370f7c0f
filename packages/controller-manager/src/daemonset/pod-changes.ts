/** What a sync of a DaemonSet changes. */
import type { PodView } from "../shared/pod-state.ts";

/** Pods to create and to delete. */
export interface PodChanges {
  /** Names of the nodes that get a pod. */
  readonly nodes: readonly string[];
  readonly deletions: readonly PodView[];
}
