/**
 * Progress of a watch: decides whether an event may follow the previous ones, so that a cache never goes back in time.
 *
 *     last version + version of an event → judgeVersion → apply, drop, or end the stream
 *
 * A server that lags behind, a proxy that repeats lines, or a cluster restored from a backup must not move a cache back.
 */
import { compareResourceVersions } from "@drover/machinery";

/**
 * - `apply` newer than all previous events, or from a server whose versions cannot be compared
 * - `repeat` the same version as the last event
 * - `older` older than a previous event
 */
export type EventVerdict = "apply" | "repeat" | "older";

/** After this many older events in a row, the cause is not a repetition after a reconnect: the server is at another point in time. */
export const olderEventsMax = 100;

/** Decides whether a version may follow `last`, the newest so far ("" if there is none). */
export function judgeVersion(last: string, version: string): EventVerdict {
  const order = compareResourceVersions(version, last);
  return order === -1 ? "older" : order === 0 ? "repeat" : "apply";
}

/**
 * Returns the version to resume from after an event. A watch without a start version begins with the current state in any order, so its
 * progress is unknown until an event other than ADDED arrives. An object without a version changes nothing.
 */
export function versionAfter(last: string, since: string, type: "ADDED" | "MODIFIED" | "DELETED", version: string): string {
  if (version === "") return last;
  const fromTheBeginning = since === "" || since === "0";
  return fromTheBeginning && last === since && type === "ADDED" ? last : version;
}
