/** When a pod finished. */
import { timeMs } from "../shared/object-time.ts";
import type { PodView } from "../shared/pod-state.ts";

/**
 * Returns when the last container terminated; failing that, when the pod became not ready, when its deletion was requested, or when
 * it was created. Milliseconds since 1970.
 */
export function finishTime(pod: PodView): number {
  return lastContainerEnd(pod) ?? unreadySince(pod) ?? deletionAsked(pod) ?? timeMs(pod.metadata.creationTimestamp) ?? 0;
}

/** Sidecars end after the others, so they count; init containers that run once do not. */
function lastContainerEnd({ spec, status }: PodView): number | undefined {
  const sidecars = new Set((spec?.initContainers ?? []).flatMap(({ name, restartPolicy }) => (restartPolicy === "Always" ? [name] : [])));
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const ends = statuses.map(({ state }) => timeMs(state?.terminated?.finishedAt));
  const known = ends.filter((end) => end !== undefined);
  return known.length === ends.length && known.length > 0 ? Math.max(...known) : undefined;
}

function unreadySince({ status }: PodView): number | undefined {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "False" ? timeMs(ready.lastTransitionTime) : undefined;
}

/** The timestamp is the end of the grace period. */
function deletionAsked({ metadata: { deletionTimestamp, deletionGracePeriodSeconds = 0 } }: PodView): number | undefined {
  const end = timeMs(deletionTimestamp);
  return end === undefined ? undefined : end - deletionGracePeriodSeconds * 1000;
}
