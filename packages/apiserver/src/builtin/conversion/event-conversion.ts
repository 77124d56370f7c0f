/**
 * Event conversion between the two groups. Events are stored in the core group, which names some fields differently.
 *
 *     events.k8s.io/v1 → eventToStored → v1 → eventFromStored → events.k8s.io/v1
 */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** Name in events.k8s.io → name in the core group. */
const renamed: readonly (readonly [string, string])[] = [
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
  ["reportingController", "reportingComponent"],
];
const coreNames: ReadonlyMap<string, string> = new Map(renamed);
const eventNames: ReadonlyMap<string, string> = new Map(renamed.map(([event, core]) => [core, event]));
/** Fields that the core group writes even if empty, and events.k8s.io does not; by both names. */
const empties: readonly (readonly [string, string])[] = [
  ["reportingController", "reportingComponent"],
  ["reportingInstance", "reportingInstance"],
];

/** Converts to the core group, in which events are stored. Does not change its argument. */
export function eventToStored(event: JsonObject): JsonObject {
  const stored = rename(event, coreNames, "v1");
  for (const [, name] of empties) stored[name] ??= "";
  // For a count of 0 it is the core group that omits it.
  if (isJsonObject(stored["series"]) && stored["series"]["count"] === 0) {
    const { count: _none, ...series } = stored["series"];
    stored["series"] = series;
  }
  return stored;
}

/** Converts from the core group. Does not change its argument. */
export function eventFromStored(stored: JsonObject): JsonObject {
  const event = rename(stored, eventNames, "events.k8s.io/v1");
  for (const [name] of empties) if (event[name] === "") delete event[name];
  if (isJsonObject(event["series"])) event["series"] = { count: 0, ...event["series"] };
  return event;
}

function rename(event: JsonObject, names: ReadonlyMap<string, string>, apiVersion: string): JsonObject {
  const entries = Object.entries(event).map(([name, value]): [string, JsonValue] => [names.get(name) ?? name, value]);
  return { ...Object.fromEntries(entries), kind: "Event", apiVersion };
}
