/**
 * Pod states that workloads ask about: active, terminating, ready, available.
 *
 *     Pod → isPodActive, isPodTerminating, isPodReady, isPodAvailable → counts in a status, choice of pods to delete
 */
import type { Pod } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { timeMs } from "./object-time.ts";

/** A read-only pod. */
export type PodView = DeepReadonly<Pod>;

/** Whether it succeeded or failed. */
export function isPodFinished(pod: PodView): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Whether it is neither finished nor being deleted. */
export function isPodActive(pod: PodView): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether it is being deleted and not finished. */
export function isPodTerminating(pod: PodView): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** Whether its condition Ready is true. */
export function isPodReady(pod: PodView): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Returns since when it is ready, in milliseconds since 1970; undefined while it is not, or when the time is missing. */
export function podReadySince(pod: PodView): number | undefined {
  return isPodReady(pod) ? timeMs(readyCondition(pod)?.lastTransitionTime) : undefined;
}

/** Whether it has been ready for at least `minReadySeconds` at `now`. */
export function isPodAvailable(pod: PodView, minReadySeconds: number, now: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = podReadySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

/** Returns milliseconds from `now` until the first of these pods becomes available; undefined when none will. */
export function nextAvailabilityMs(pods: readonly PodView[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods.flatMap((pod) => {
    const since = podReadySince(pod);
    const waitMs = since === undefined || minReadySeconds <= 0 ? 0 : since + minReadySeconds * 1000 - now;
    return waitMs > 0 ? [waitMs] : [];
  });
  return waits.length === 0 ? undefined : Math.min(...waits);
}

function readyCondition(pod: PodView): NonNullable<NonNullable<PodView["status"]>["conditions"]>[number] | undefined {
  // Called for a thousand pods each time one changes, so no callback runs per condition.
  for (const condition of pod.status?.conditions ?? []) if (condition.type === "Ready") return condition;
  return undefined;
}
