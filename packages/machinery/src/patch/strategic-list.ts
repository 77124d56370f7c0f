/**
 * Merges two lists whose schema says "merge": scalars as a set, objects by merge key.
 *
 *     strategic-merge.ts → mergeLists → strategic-order.ts
 */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { MergePatchError, unknownMarker } from "./merge-patch-error.ts";
import { patchMarker } from "./strategic-directives.ts";
import { itemKind, mergeKeyOf, noMergeKey, weaveItems } from "./strategic-order.ts";
import { goKind } from "./strategic-schema.ts";
import type { PatchField } from "./strategic-schema.ts";

/** A merged list, and the order of the server's list after merging. */
export interface MergedList {
  readonly items: readonly JsonValue[];
  /**
   * The server's list as `$setElementOrder` sees it: it was edited in place, so new items have taken the places of deleted ones,
   * and where there are fewer of them the last items appear twice.
   */
  readonly serverOrder: readonly JsonValue[];
}

/** Returns the merged list. `mergeItem` merges two objects with the same key. */
export function mergeLists(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  { schema, mergeKey }: PatchField,
  mergeItem: (original: JsonObject, patch: JsonObject) => JsonObject,
): MergedList {
  if (original.length === 0 && patch.length === 0) return { items: original, serverOrder: original };
  if (itemKind(original, patch) === "scalar") {
    const halves = partitionItems([...new Set([...original, ...patch])], patch, mergeKey);
    return { items: weaveItems({ ...halves, patchOrder: patch, serverOrder: original }, mergeKey, "scalar"), serverOrder: original };
  }
  if (mergeKey === "") throw new MergePatchError("inapplicable", `cannot merge lists without merge key for ${goKind(schema)}`);
  const { survivors, leftovers, additions, replaces } = applyMarkedItems(
    original as readonly JsonObject[],
    patch as readonly JsonObject[],
    mergeKey,
  );
  const base = replaces ? additions : survivors;
  const changes = replaces ? [] : additions;
  const { merged, added } = mergeByKey(base, changes, mergeKey, mergeItem);
  const halves = partitionItems(merged, changes, mergeKey);
  const items = weaveItems({ ...halves, patchOrder: changes, serverOrder: base }, mergeKey, "object");
  const filled = replaces ? [] : added.slice(0, leftovers.length);
  return { items, serverOrder: [...survivors, ...filled, ...leftovers.slice(filled.length)] };
}

/** Splits items into those that `order` names, and the others. Compares objects by merge key and scalars by value. */
export function partitionItems(
  items: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string,
): { patchItems: JsonValue[]; serverItems: JsonValue[] } {
  const stranger = mergeKey === "" ? -1 : order.findIndex((entry) => !isJsonObject(entry));
  const known = stranger < 0 ? order : order.slice(0, stranger);
  const named = new Set(
    mergeKey === "" ? known : known.map((entry) => (isJsonObject(entry) && Object.hasOwn(entry, mergeKey) ? entry[mergeKey] : undefined)),
  );
  const patchItems: JsonValue[] = [];
  const serverItems: JsonValue[] = [];
  for (const item of items) {
    const isNamed = named.has(mergeKey === "" ? item : mergeKeyOf(item, mergeKey));
    if (!isNamed && stranger >= 0) throw new MergePatchError("inapplicable", `value for key ${stranger} is not a map`);
    (isNamed ? patchItems : serverItems).push(item);
  }
  return { patchItems, serverItems };
}

interface MarkedResult {
  readonly survivors: readonly JsonObject[];
  /** Items behind the survivors after the list was edited in place. */
  readonly leftovers: readonly JsonObject[];
  readonly additions: readonly JsonObject[];
  /** Whether an item requests that the additions replace the whole list. */
  readonly replaces: boolean;
}

function applyMarkedItems(original: readonly JsonObject[], patch: readonly JsonObject[], mergeKey: string): MarkedResult {
  const additions: JsonObject[] = [];
  const deleted = new Set<number>();
  const leftovers: JsonObject[] = [];
  let positions: ReadonlyMap<JsonValue, number[]> | undefined;
  let last = original.length - 1;
  let replaces = false;
  for (const item of patch) {
    if (!Object.hasOwn(item, patchMarker)) {
      additions.push(item);
      continue;
    }
    const marker = item[patchMarker] ?? null;
    if (marker === "replace") {
      replaces = true;
    } else if (marker === "delete") {
      positions ??= positionsByKey(original, mergeKey);
      for (const index of positions.get(mergeKeyOf(item, mergeKey)) ?? []) {
        if (deleted.has(index)) continue;
        while (deleted.has(last)) last--;
        const showing = original[last];
        if (showing !== undefined) leftovers.push(showing);
        deleted.add(index);
      }
    } else if (marker === "merge") {
      throw new MergePatchError("inapplicable", "merging lists cannot yet be specified in the patch");
    } else {
      throw unknownMarker(marker, item);
    }
  }
  return {
    survivors: deleted.size === 0 ? original : original.filter((_item, index) => !deleted.has(index)),
    leftovers: leftovers.toReversed(),
    additions,
    replaces,
  };
}

function positionsByKey(items: readonly JsonObject[], mergeKey: string): Map<JsonValue, number[]> {
  const positions = new Map<JsonValue, number[]>();
  for (const [index, item] of items.entries()) {
    const key = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
    if (key === undefined) continue;
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [index]);
    else known.push(index);
  }
  return positions;
}

function mergeByKey(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeItem: (original: JsonObject, patch: JsonObject) => JsonObject,
): { readonly merged: readonly JsonObject[]; readonly added: readonly JsonObject[] } {
  const merged = original.slice();
  const first = new Map<JsonValue, number>();
  const remember = (key: JsonValue | undefined, index: number): void => {
    if (key !== undefined && !first.has(key)) first.set(key, index);
  };
  if (patch.length > 0)
    for (const [index, item] of original.entries()) remember(Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined, index);
  for (const item of patch) {
    const key = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
    if (key === undefined) throw noMergeKey(item, mergeKey);
    const index = first.get(key);
    const match = index === undefined ? undefined : merged[index];
    if (index !== undefined && match !== undefined) {
      merged[index] = mergeItem(match, item);
    } else {
      remember(key, merged.length);
      merged.push(item);
    }
  }
  return { merged, added: merged.slice(original.length) };
}
