/** Stops groups one after the other, within one grace period for all. */
import { abortable, deadline } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { Stoppable } from "./runnable-group.ts";

export interface StopInOrderOptions {
  readonly clock: Clock;
  /** Total time for all groups, in milliseconds; 0 does not wait, Infinity waits without limit. */
  readonly graceMs: number;
  /** Reason passed to every group. */
  readonly reason: unknown;
}

/**
 * Stops a group, waits until it has ended, then continues with the next. When the grace period is over it stops the remaining groups at
 * once without waiting. Returns the names of members that were stopped in time but have not ended; empty if all went well.
 */
export async function stopInOrder(
  groups: readonly Stoppable[],
  { clock, graceMs, reason }: StopInOrderOptions,
): Promise<readonly string[]> {
  if (graceMs <= 0) {
    for (const group of groups) group.stop(reason);
    return [];
  }
  const grace = deadline(clock, graceMs);
  const stopped: Stoppable[] = [];
  try {
    for (const group of groups) {
      stopped.push(group);
      group.stop(reason);
      await abortable(group.ended(), grace.signal);
    }
    return [];
  } catch {
    const names = stopped.flatMap((group) => group.running());
    for (const group of groups) group.stop(reason);
    return names;
  } finally {
    grace.release();
  }
}
