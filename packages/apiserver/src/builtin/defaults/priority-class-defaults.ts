/** Priority classes: who is more important may push others aside. */
import type { PriorityClass } from "@drover/api/scheduling/v1";

export function setPriorityClassDefaults(priorityClass: PriorityClass): void {
  priorityClass.preemptionPolicy ??= "PreemptLowerPriority";
}
