/**
 * Order of a merged list: items of the patch in the order of the patch, items only the server has in the server's order,
 * interleaved by the server's order as far as it goes.
 */
import { goType, printGo } from "../json/go-print.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../json/json-value.ts";
import { MergePatchError, wrongType } from "./merge-patch-error.ts";
import { patchMarker } from "./strategic-directives.ts";

/** Kind of the items; decides whether they are compared by merge key or by value. */
export type ItemKind = "object" | "scalar";

/** Returns the kind of items in these lists. Throws for mixed kinds, nested lists, and no items at all. */
export function itemKind(...lists: readonly (readonly JsonValue[])[]): ItemKind {
  let first: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const type = goType(item);
      if (first === undefined) {
        if (Array.isArray(item)) throw new MergePatchError("unprocessable", "lists of lists are not supported");
        first = type;
      } else if (type !== first) {
        throw new MergePatchError("inapplicable", `list element types are not identical: ${printGo(lists)}`);
      }
    }
  }
  if (first === undefined) throw new MergePatchError("inapplicable", "no elements in any of the given slices");
  return first === goType({}) ? "object" : "scalar";
}

/** Error for an object without the merge key of its list. */
export function noMergeKey(item: JsonValue, mergeKey: string): MergePatchError {
  return new MergePatchError("inapplicable", `map: ${printGo(item)} does not contain declared merge key: ${mergeKey}`);
}

/** Returns the merge key of an object; throws for anything else. */
export function mergeKeyOf(item: JsonValue, mergeKey: string): JsonValue {
  if (!isJsonObject(item)) throw wrongType("map[string]interface {}", item);
  const value = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return value;
}

/** Both halves of a merged list, and the two lists whose order they follow. */
export interface ListHalves {
  readonly patchItems: readonly JsonValue[];
  readonly serverItems: readonly JsonValue[];
  readonly patchOrder: readonly JsonValue[];
  readonly serverOrder: readonly JsonValue[];
}

/** Returns the items of both halves in their final order. */
export function weaveItems(
  { patchItems, serverItems, patchOrder, serverOrder }: ListHalves,
  mergeKey: string,
  kind: ItemKind,
): JsonValue[] {
  const rank = ranking(serverOrder, mergeKey, kind);
  const right = sortByRank(patchItems, ranking(patchOrder, mergeKey, kind), kind);
  const left = sortByRank(serverItems, rank, kind);
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  const woven: JsonValue[] = [];
  let next = 0;
  for (const item of right) {
    // An item unknown to the server comes before all that are left.
    const limit = rank(item) ?? -1;
    for (let server = left[next]; server !== undefined && (rank(server) ?? limit) < limit; server = left[++next]) woven.push(server);
    woven.push(item);
  }
  for (; next < left.length; next++) woven.push(left[next] ?? null);
  return woven;
}

/** Returns the items in the order of another list, those marked for deletion last. */
export function sortItems(items: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string, kind: ItemKind): JsonValue[] {
  return sortByRank(items, ranking(order, mergeKey, kind), kind);
}

/** Whether an item of a patch requests the deletion of the item with its merge key. */
export function isMarkedForDeletion(item: JsonValue): boolean {
  return isJsonObject(item) && Object.hasOwn(item, patchMarker) && item[patchMarker] === "delete";
}

type Rank = (item: JsonValue) => number | undefined;

function ranking(order: readonly JsonValue[], mergeKey: string, kind: ItemKind): Rank {
  const identity = (item: JsonValue): JsonValue => (kind === "scalar" ? item : mergeKeyOf(item, mergeKey));
  const ranks = new Map<JsonValue, number>();
  for (const [index, item] of order.entries()) {
    const key = identity(item);
    if (!ranks.has(key)) ranks.set(key, index);
  }
  return (item) => ranks.get(identity(item));
}

function sortByRank(items: readonly JsonValue[], rank: Rank, kind: ItemKind): JsonValue[] {
  const ranked = items.map((item): Ranked => ({ item, rank: rank(item) }));
  const marked = kind === "object" && items.some(isMarkedForDeletion);
  const kept = marked ? ranked.filter(({ item }) => !isMarkedForDeletion(item)) : ranked;
  // Most lists are in order already; only ranked items can be.
  const sorted = kept.every((entry, index) => entry.rank !== undefined && entry.rank >= (kept[index - 1]?.rank ?? 0));
  if (sorted && !marked) return items.slice();
  if (!sorted) sortRanked(kept);
  return [...kept.map(({ item }) => item), ...items.filter((item) => marked && isMarkedForDeletion(item))];
}

interface Ranked {
  readonly item: JsonValue;
  readonly rank: number | undefined;
}

// An item without a rank occurs only with an empty $setElementOrder. The server's sort treats it as smaller than everything: up to
// 20 items it inserts one by one. Beyond that its result is arbitrary, and not reproduced here.
function sortRanked(items: Ranked[]): void {
  const before = (a: Ranked, b: Ranked): boolean => a.rank === undefined || b.rank === undefined || a.rank < b.rank;
  if (items.length > 20 || items.every(({ rank }) => rank !== undefined)) {
    items.sort((a, b) => (a.rank ?? -1) - (b.rank ?? -1));
    return;
  }
  for (let end = 1; end < items.length; end++) {
    for (let index = end; index > 0; index--) {
      const [left, right] = [items[index - 1], items[index]];
      if (left === undefined || right === undefined || !before(right, left)) break;
      items[index - 1] = right;
      items[index] = left;
    }
  }
}
