/**
 * How far a watch has come, and whether the next event may follow: the guard against time travel.
 *
 *     last version + version of an event → judgeVersion → apply, drop, or end the stream
 *
 * A server that lags behind, a proxy that repeats lines, a cluster put back from a backup: none of them moves a cache back.
 */
import { compareResourceVersions } from "@drover/machinery";

/**
 * - `apply` newer than all before, or of a server whose versions cannot be compared
 * - `repeat` the very version that came last
 * - `older` older than what came before
 */
export type EventVerdict = "apply" | "repeat" | "older";

/** So many older events in a row are no repetition after a reconnect any more: the server is at another point in time than we are. */
export const olderEventsMax = 100;

/** Whether a version may follow `last`, the newest so far ("" when there is none). */
export function judgeVersion(last: string, version: string): EventVerdict {
  const order = compareResourceVersions(version, last);
  return order === -1 ? "older" : order === 0 ? "repeat" : "apply";
}

/**
 * The version to go on from after an event was applied. A watch that began without a version starts with the present state, in no order;
 * until something else than ADDED has come nothing is known about how far it is. An object without a version moves nothing.
 */
export function versionAfter(last: string, since: string, type: "ADDED" | "MODIFIED" | "DELETED", version: string): string {
  if (version === "") return last;
  const fromTheBeginning = since === "" || since === "0";
  return fromTheBeginning && last === since && type === "ADDED" ? last : version;
}
