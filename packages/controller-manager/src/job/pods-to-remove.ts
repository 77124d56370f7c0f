/** Which running pods of a Job to delete: those with an invalid or duplicate index, then surplus ones. */
import { comparePods } from "../shared/pod-order.ts";
import type { PodView } from "../shared/pod-state.ts";
import { byCompletionIndex, indexBelow } from "./completion-index.ts";
import { indexCount, isIndexed } from "./job-view.ts";
import type { JobView } from "./job-view.ts";

/** Returns at least so many. Of pods with the same index the furthest along stays. */
export function podsToRemove(job: JobView, active: readonly PodView[], atLeast: number): readonly PodView[] {
  const { surplus, left } = isIndexed(job) ? split(active, indexCount(job)) : { surplus: [], left: active };
  const more = atLeast - surplus.length;
  return more <= 0 ? surplus : [...surplus, ...left.toSorted(comparePods).slice(0, more)];
}

function split(active: readonly PodView[], count: number): { readonly surplus: readonly PodView[]; readonly left: readonly PodView[] } {
  const surplus: PodView[] = [];
  const best = new Map<number, PodView>();
  for (const pod of active.toSorted(byCompletionIndex)) {
    const index = indexBelow(pod, count);
    const rival = index === undefined ? undefined : best.get(index);
    if (index === undefined) surplus.push(pod);
    else if (rival === undefined) best.set(index, pod);
    else {
      const [worse, better] = comparePods(pod, rival) < 0 ? [pod, rival] : [rival, pod];
      surplus.push(worse);
      best.set(index, better);
    }
  }
  return { surplus, left: [...best.values()] };
}
