/**
 * The objects of a cluster without what differs between two clusters that are equal to their users: uids, versions, times, generated
 * names, and who wrote which field.
 *
 *     Stored[] → canonicalState → one JSON value per object, by key
 */
import type { Stored } from "@drover/apiserver";
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** Objects by key; those whose keys became equal are listed together, in the order of their texts. */
export type CanonicalState = ReadonlyMap<string, readonly JsonValue[]>;

/** Written by the cluster for itself, or about runs. */
const ignoredKeys = /^\/registry\/(events|leases|masterleases)\//;
const ignoredMetadata: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "generation",
  "selfLink",
  "generateName",
]);
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Returns what users would compare. Values that are no JSON objects are left out. */
export function canonicalState(stored: readonly Stored[]): CanonicalState {
  const objects = stored
    .filter(({ key }) => !ignoredKeys.test(key))
    .flatMap(({ key, value }) => {
      const object = decodeJson(value);
      return isJsonObject(object) ? [{ key, object }] : [];
    });
  const names = new Map<string, string>();
  for (const { key, object } of objects) {
    const metadata = metadataOf(object);
    const { uid, name, generateName } = metadata;
    const general = generalKey(key, metadata);
    if (typeof uid === "string") names.set(uid, `uid of ${general}`);
    if (typeof name === "string" && typeof generateName === "string") names.set(name, `${generateName}*`);
  }
  const state = new Map<string, JsonValue[]>();
  for (const { key, object } of objects) {
    const general = generalKey(key, metadataOf(object));
    const list = state.get(general) ?? [];
    list.push(canonicalObject(object, names));
    state.set(general, list);
  }
  for (const list of state.values()) if (list.length > 1) list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return state;
}

const metadataOf = ({ metadata }: JsonObject): JsonObject => (isJsonObject(metadata) ? metadata : {});

const generalKey = (key: string, { name, generateName }: JsonObject): string =>
  typeof name === "string" && typeof generateName === "string" && key.endsWith(`/${name}`)
    ? `${key.slice(0, -name.length)}${generateName}*`
    : key;

function canonicalObject(object: JsonObject, names: ReadonlyMap<string, string>): JsonValue {
  const { generation, ...metadata } = metadataOf(object);
  const kept = Object.fromEntries(Object.entries(metadata).filter(([name]) => !ignoredMetadata.has(name)));
  const { apiVersion: _version, kind: _kind, ...rest } = object;
  return canonicalValue({ ...rest, metadata: kept }, names, generation) ?? {};
}

/** Returns undefined for what says no more than its absence: empty lists and objects, and a generation that is the current one. */
function canonicalValue(value: JsonValue, names: ReadonlyMap<string, string>, generation: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === "string") return timestamp.test(value) ? "<time>" : (names.get(value) ?? value);
  if (Array.isArray(value)) {
    const items = value.filter((item) => !isHealthy(item)).map((item) => canonicalValue(item, names, generation) ?? {});
    return items.length === 0 ? undefined : items;
  }
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
    const kept = name === "observedGeneration" ? generationText(item, generation) : canonicalValue(item ?? null, names, generation);
    return kept === undefined ? [] : [[name, kept]];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

const generationText = (observed: JsonValue | undefined, generation: JsonValue | undefined): string | undefined =>
  observed === generation ? undefined : "<older>";

/** Conditions that the framework leaves behind when a failure is over; without a failure they are absent. */
const isHealthy = (item: JsonValue): boolean =>
  isJsonObject(item) &&
  ((item["type"] === "Reconciled" && item["status"] === "True") || (item["type"] === "Stalled" && item["status"] === "False"));
