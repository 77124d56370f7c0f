/** Which pods beyond the size of a set go now. */
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { isGoing, isHealthy } from "./member-state.ts";
import type { Patience } from "./member-state.ts";

export interface SurplusOptions extends Patience {
  readonly isOrdered: boolean;
  /** The first pod of the set, by number and the surplus last, that cannot be counted on. */
  readonly firstUnavailable: PodView | undefined;
}

/**
 * In order only the last, and only when it has nothing to wait for: it is healthy, it has ended and will never be, or
 * it is itself what is wrong
 * with the set. Otherwise all that are not on their way.
 *
 * @param surplus - the highest number first
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
