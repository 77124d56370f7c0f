/** The states of the object that a change is about. Whoever follows only the new one never tells those that the old one concerned. */
import type { Change } from "@drover/cache";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** Of an update both, the older one first; of a resync, and of anything else, the one there is. */
export function changeStates<T extends KubeObject>(change: Change<T>): readonly DeepReadonly<T>[] {
  return change.type === "updated" && change.before !== change.object ? [change.before, change.object] : [change.object];
}
