/** Which surplus pods of a set to delete now. */
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { isGoing, isHealthy } from "./member-state.ts";
import type { Patience } from "./member-state.ts";

export interface SurplusOptions extends Patience {
  readonly isOrdered: boolean;
  /** The first unavailable pod of the set, by ordinal with surplus pods last. */
  readonly firstUnavailable: PodView | undefined;
}

/**
 * With ordered management, returns only the last, and only if it has nothing to wait for: it is healthy, has finished, or is itself
 * the unavailable one. Otherwise returns all that are not being deleted.
 *
 * @param surplus - highest ordinal first
 */
export function surplusToRemove(
  surplus: readonly PodView[],
  { isOrdered, firstUnavailable, ...patience }: SurplusOptions,
): readonly PodView[] {
  if (!isOrdered) return surplus.filter((pod) => !isGoing(pod));
  const [last] = surplus;
  return last !== undefined && !isGoing(last) && (isHealthy(last, patience) || isPodFinished(last) || last === firstUnavailable)
    ? [last]
    : [];
}
