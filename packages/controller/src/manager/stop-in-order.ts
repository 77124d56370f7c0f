/** Ends one group after the other, under one deadline for all of them. */
import { abortable, deadline } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { Stoppable } from "./runnable-group.ts";

export interface StopInOrderOptions {
  readonly clock: Clock;
  /** How long all of it may take; 0 waits for nobody, Infinity for as long as it takes. */
  readonly graceMs: number;
  /** What everyone is told. */
  readonly reason: unknown;
}

/**
 * Tells a group to stop, waits until it has ended, then goes on to the next. When the time is up the rest is told at once, and nobody is
 * waited for. Gives the names of those that were told in time and have not ended: none, if all went well.
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
  const told: Stoppable[] = [];
  try {
    for (const group of groups) {
      told.push(group);
      group.stop(reason);
      await abortable(group.ended(), grace.signal);
    }
    return [];
  } catch {
    const names = told.flatMap((group) => group.running());
    for (const group of groups) group.stop(reason);
    return names;
  } finally {
    grace.release();
  }
}
