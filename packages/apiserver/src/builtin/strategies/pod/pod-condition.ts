/** Conditions of pods. Unlike those of newer kinds they may lack a time. */
import { formatTime } from "@drover/machinery";
import type { PodCondition, PodStatus } from "@drover/api/core/v1";

/** Sets a condition in place; lastTransitionTime changes only with the status. `now` is in milliseconds since 1970. */
export function setPodCondition(
  status: PodStatus,
  condition: Pick<PodCondition, "type" | "status" | "reason" | "message">,
  now: number,
): void {
  const conditions = status.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const since = old?.status === condition.status ? old.lastTransitionTime : undefined;
  const next: PodCondition = {
    ...condition,
    // Never probed, which the API writes as null.
    lastProbeTime: null as never,
    lastTransitionTime: since === undefined ? formatTime(now) : since,
  };
  status.conditions = old === undefined ? [...conditions, next] : conditions.with(index, next);
}
