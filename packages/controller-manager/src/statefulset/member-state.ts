/** What a StatefulSet asks of its pods beyond what every workload does. */
import { isPodAvailable, isPodReady } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";

/** When it is, and how long a pod has to be ready before others go on. */
export interface Patience {
  readonly minReadySeconds: number;
  readonly now: number;
}

/** Whether the server has it; one that is only planned has no phase. */
export const isCreated = ({ status }: PodView): boolean => (status?.phase ?? "") !== "";

/** Whether it was asked to go. */
export const isGoing = ({ metadata }: PodView): boolean => metadata.deletionTimestamp !== undefined;

/** Whether it runs and is ready. */
export const isRunningAndReady = (pod: PodView): boolean => pod.status?.phase === "Running" && isPodReady(pod);

/** Whether the next one may come, or go: it stays, runs, and has been ready for long enough. */
export function isHealthy(pod: PodView, { minReadySeconds, now }: Patience): boolean {
  return !isGoing(pod) && isRunningAndReady(pod) && isPodAvailable(pod, minReadySeconds, now);
}

/** Whether it cannot be counted on. */
export function isUnavailable(pod: PodView, { minReadySeconds, now }: Patience): boolean {
  return isGoing(pod) || !isPodAvailable(pod, minReadySeconds, now);
}
