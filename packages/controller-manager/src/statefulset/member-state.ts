/** Pod states specific to StatefulSets. */
import { isPodAvailable, isPodReady } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";

/** The current time, and how long a pod has to be ready before others proceed. */
export interface Patience {
  readonly minReadySeconds: number;
  readonly now: number;
}

/** Whether the server has it; a planned pod has no phase. */
export const isCreated = ({ status }: PodView): boolean => (status?.phase ?? "") !== "";

/** Whether it is being deleted. */
export const isGoing = ({ metadata }: PodView): boolean => metadata.deletionTimestamp !== undefined;

/** Whether it runs and is ready. */
export const isRunningAndReady = (pod: PodView): boolean => pod.status?.phase === "Running" && isPodReady(pod);

/** Whether the next pod may proceed: this one is not being deleted, runs, and has been ready long enough. */
export function isHealthy(pod: PodView, { minReadySeconds, now }: Patience): boolean {
  return !isGoing(pod) && isRunningAndReady(pod) && isPodAvailable(pod, minReadySeconds, now);
}

/** Whether it is not available. */
export function isUnavailable(pod: PodView, { minReadySeconds, now }: Patience): boolean {
  return isGoing(pod) || !isPodAvailable(pod, minReadySeconds, now);
}
