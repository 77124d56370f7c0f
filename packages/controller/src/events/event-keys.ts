/**
 * Which events are alike. The version of an object is no part of any key: a controller that writes its object between two events would
 * never see them become a series.
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

/** Equal for events that are one series: similar ones with the same note. Never equal to a `similarKey`. */
export function seriesKey(similar: string, note: string): string {
  return `${similar}\n${note}`;
}

/** Equal for events of one reporter about one object, of one type: those that share an allowance. */
export function spamKey({ type, reportingController, reportingInstance, regarding }: EventDraft): string {
  return keyOf([type, reportingController, reportingInstance, ...objectFields(regarding)]);
}

function objectFields({ apiVersion, kind, namespace, name, uid }: ObjectReference): readonly (string | undefined)[] {
  return [apiVersion, kind, namespace, name, uid];
}

/** Every text with its length before it, so that none runs into the next. */
function keyOf(texts: readonly (string | undefined)[]): string {
  let key = "";
  for (const text of texts) key += text === undefined ? "-" : `${text.length}:${text}`;
  return key;
}
