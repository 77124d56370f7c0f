/**
 * Events under both of their groups: one store, the fields of the core group, other names for some of them.
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
/** What the core group writes even when it is empty, by its name in events.k8s.io, which does not. */
const empties: readonly (readonly [string, string])[] = [
  ["reportingController", "reportingComponent"],
  ["reportingInstance", "reportingInstance"],
];

/** To the core group, in which events are stored. Never changes what it is given. */
export function eventToStored(event: JsonObject): JsonObject {
  const stored = rename(event, coreNames, "v1");
  for (const [, name] of empties) stored[name] ??= "";
  // A count of 0 is the other way round: only the core group leaves it out.
  if (isJsonObject(stored["series"]) && stored["series"]["count"] === 0) {
    const { count: _none, ...series } = stored["series"];
    stored["series"] = series;
  }
  return stored;
}

/** From the core group. Never changes what it is given. */
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
