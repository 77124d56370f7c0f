/** Checks the end of a watch: it gets a 410 exactly when writes it still has to deliver are compacted. */
import type { WatchSession } from "./history.ts";

/** Returns one sentence per problem. */
export function checkSessionEnd({ asked = 0, wantsInitial, compactedAtStart, events, end, floor }: WatchSession): readonly string[] {
  const isTooOld = !wantsInitial && asked > 0 && asked < compactedAtStart;
  // A watch waits for a future state until it times out.
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
