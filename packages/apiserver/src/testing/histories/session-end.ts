/** Whether a watch ended as it may: it is refused with 410 exactly when writes it would have to tell of are forgotten. */
import type { WatchSession } from "./history.ts";

/** A sentence for each thing that is wrong. */
export function checkSessionEnd({ asked = 0, wantsInitial, compactedAtStart, events, end, floor }: WatchSession): readonly string[] {
  const isTooOld = !wantsInitial && asked > 0 && asked < compactedAtStart;
  // A state that is still to come is waited for, but not for ever.
  if (end.kind === "failed" && end.code === 504 && wantsInitial && asked > floor) return [];
  if (end.kind === "failed") return [`the watch failed with ${end.code}: ${end.message}`];
  if (end.kind === "expired") {
    const position = Math.max(asked, ...events.map(({ revision }) => revision));
    return position < end.compacted
      ? []
      : [`the watch was refused as too old at ${position}, and everything after ${end.compacted} was remembered`];
  }
  if (!isTooOld) return [];
  if (events.length > 0)
    return [`the watch from ${asked} told something, and what was before ${compactedAtStart} was forgotten when it was asked for`];
  return end.kind === "drained"
    ? [`the watch from ${asked} was not refused, and what was before ${compactedAtStart} was forgotten when it was asked for`]
    : [];
}
