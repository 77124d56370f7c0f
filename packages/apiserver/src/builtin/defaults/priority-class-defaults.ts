/** Defaults of PriorityClass. */
import type { PriorityClass } from "@drover/api/scheduling/v1";

export function setPriorityClassDefaults(priorityClass: PriorityClass): void {
  priorityClass.preemptionPolicy ??= "PreemptLowerPriority";
}
