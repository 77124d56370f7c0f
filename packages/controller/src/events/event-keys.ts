/**
 * Keys that decide which events belong together. They do not contain the object's version: a controller that writes its object between two
 * events would never get a series.
 */
import type { ObjectReference } from "@drover/api/core/v1";
import type { EventDraft } from "./event-draft.ts";

/** Equal for events that differ at most in their notes: same type, action, reason, reporter and objects. */
export function similarKey({ type, action, reason, reportingController, reportingInstance, regarding, related }: EventDraft): string {
  return keyOf([
    type,
    action,
    reason,
    reportingController,
    reportingInstance,
    ...objectFields(regarding),
    regarding.fieldPath,
    ...(related === undefined ? [] : objectFields(related)),
  ]);
}

/** Equal for events of one series: similar events with the same note. Never equal to a `similarKey`. */
export function seriesKey(similar: string, note: string): string {
  return `${similar}\n${note}`;
}

/** Equal for events that share one spam limit: same type, reporter and object. */
export function spamKey({ type, reportingController, reportingInstance, regarding }: EventDraft): string {
  return keyOf([type, reportingController, reportingInstance, ...objectFields(regarding)]);
}

function objectFields({ apiVersion, kind, namespace, name, uid }: ObjectReference): readonly (string | undefined)[] {
  return [apiVersion, kind, namespace, name, uid];
}

/**
 * Prefixes every text with its length, so that the key is unambiguous. Joined at once: the engine keeps a text that grows by `+=` as a tree
 * of its pieces, which takes a kilobyte more for each of the thousands of keys in memory.
 */
function keyOf(texts: readonly (string | undefined)[]): string {
  return texts.map((text) => (text === undefined ? "-" : `${text.length}:${text}`)).join("");
}
