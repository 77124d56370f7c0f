/** Conditions of pods, which are older than those of other kinds: a time may be missing. */
import { formatTime } from "@drover/machinery";
import type { PodCondition, PodStatus } from "@drover/api/core/v1";

/** Sets a condition in place; its time moves only when its status does. `now` is in milliseconds since 1970. */
export function setPodCondition(
  status: PodStatus,
  condition: Pick<PodCondition, "type" | "status" | "reason" | "message">,
  now: number,
): void {
  const conditions = status.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const isSame = old?.status === condition.status && old.lastTransitionTime !== undefined;
  // Nobody has probed, which the API writes as null.
  const next = {
    ...condition,
    lastProbeTime: null,
    lastTransitionTime: isSame ? old.lastTransitionTime : formatTime(now),
  } as unknown as PodCondition;
  status.conditions = old === undefined ? [...conditions, next] : conditions.with(index, next);
}
