/** States of the object in a change. A handler that maps only the new state never enqueues the keys that only the old state mapped to. */
import type { Change } from "@drover/cache";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** Returns both states of an update, the older first; one state for a resync, an addition or a deletion. */
export function changeStates<T extends KubeObject>(change: Change<T>): readonly DeepReadonly<T>[] {
  return change.type === "updated" && change.before !== change.object ? [change.before, change.object] : [change.object];
}
