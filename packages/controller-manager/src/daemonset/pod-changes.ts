/** What a look at a DaemonSet comes to. */
import type { PodView } from "../shared/pod-state.ts";

/** The pods that are to come and to go. */
export interface PodChanges {
  /** The names of the nodes that get a pod. */
  readonly nodes: readonly string[];
  readonly deletions: readonly PodView[];
}
