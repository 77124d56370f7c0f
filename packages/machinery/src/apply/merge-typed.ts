/** Merges an applied configuration into a live value. Removes nothing: what the configuration does not mention stays. */
import { setOwn } from "../json/own.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { hasMembers } from "./has-members.ts";
import { itemElement } from "./list-item.ts";
import { formOf, memberType } from "./merge-type.ts";
import type { ListType, MapType, MergeType } from "./merge-type.ts";
import type { PathElement } from "./path-element.ts";

/**
 * Returns the merged value, sharing unmerged parts with both inputs. Items of sets and keyed lists follow the order of the
 * configuration; live items between them keep their places. Assumes valid values, and a configuration without duplicate keys.
 */
export function mergeTyped(live: JsonValue | undefined, config: JsonValue | undefined, type: MergeType): JsonValue | undefined {
  if (config === undefined) return live;
  if (live === undefined || live === config) return config;
  const form = formOf(type, config);
  if (form === "map" && type.map !== undefined && !type.map.atomic) {
    const left = isJsonObject(live) ? live : {};
    const right = isJsonObject(config) ? config : {};
    return !hasMembers(left) && !hasMembers(right) ? config : mergeMaps(left, right, type.map);
  }
  if (form === "list" && type.list !== undefined && !type.list.atomic) {
    const left = Array.isArray(live) ? live : [];
    const right = Array.isArray(config) ? config : [];
    return left.length + right.length === 0 ? config : mergeLists(left, right, type.list);
  }
  return config;
}

function mergeMaps(live: JsonObject, config: JsonObject, map: MapType): JsonObject | undefined {
  const merged: JsonObject = {};
  for (const name of Object.keys(live)) {
    const value = Object.hasOwn(config, name) ? mergeTyped(live[name], config[name], memberType(map, name) ?? {}) : live[name];
    if (value !== undefined) setOwn(merged, name, value);
  }
  for (const name of Object.keys(config)) if (!Object.hasOwn(live, name)) setOwn(merged, name, config[name] ?? null);
  return hasMembers(merged) ? merged : undefined;
}

interface IndexedItems {
  readonly elements: readonly PathElement[];
  readonly items: readonly JsonValue[];
  /** By element; null for items with the same keys, which are never merged into. */
  readonly byElement: ReadonlyMap<PathElement, JsonValue>;
}

function indexItems(list: ListType, values: readonly JsonValue[]): IndexedItems {
  const elements: PathElement[] = [];
  const items: JsonValue[] = [];
  const byElement = new Map<PathElement, JsonValue>();
  for (const item of values) {
    const element = itemElement(list, item);
    if (typeof element !== "string") continue;
    byElement.set(element, byElement.has(element) ? null : item);
    elements.push(element);
    items.push(item);
  }
  return { elements, items, byElement };
}

function mergeLists(liveItems: readonly JsonValue[], configItems: readonly JsonValue[], list: ListType): JsonValue[] | undefined {
  const live = indexItems(list, liveItems);
  const config = indexItems(list, configItems);
  const type = list.items();
  const merged: JsonValue[] = [];
  const done = new Set<PathElement>();
  // Items of both, in the order of the configuration: the live list waits at the next of them until its turn.
  const shared = config.elements.filter((element) => live.byElement.has(element));
  let nextShared = 0;
  let left = 0;
  let right = 0;

  const take = (element: PathElement): void => {
    done.add(element);
    const item = mergeTyped(live.byElement.get(element), config.byElement.get(element), type);
    if (item !== undefined) merged.push(item);
    right++;
    if (shared[nextShared] === element) nextShared++;
  };
  while (left < live.elements.length || right < config.elements.length) {
    const liveElement = live.elements[left];
    const configElement = config.elements[right];
    if (liveElement !== undefined && configElement !== undefined) {
      if (liveElement === configElement) {
        take(configElement);
        left++;
        continue;
      }
      const next = shared[nextShared];
      if (config.byElement.has(liveElement) && next !== undefined && next !== liveElement) {
        left++;
        continue;
      }
    }
    if (liveElement !== undefined) {
      if (!config.byElement.has(liveElement)) {
        merged.push(live.items[left] ?? null);
        left++;
        continue;
      }
      if (done.has(liveElement)) left++;
    }
    if (configElement !== undefined) take(configElement);
  }
  return merged.length > 0 ? merged : undefined;
}
