/** Difference of two merged lists: what to change, what to delete, and the order of the result. */
import { compareBytes } from "../go/byte-text.ts";
import { printGo } from "../json/go-print.ts";
import { setOwn } from "../json/own.ts";
import { jsonEqual } from "../json/json-equal.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { patchMarker } from "./strategic-directives.ts";
import { itemKind, mergeKeyOf, sortItems } from "./strategic-order.ts";

/** Which parts of a difference to compute. */
export interface StrategicDiffScope {
  readonly changes: boolean;
  readonly deletions: boolean;
  /** Whether to state the order of merged lists too. */
  readonly order: boolean;
}

/** Difference of two merged lists. */
export interface ListDiff {
  /** Items to add or merge; objects to delete are at the end, marked. */
  readonly changed: JsonValue[];
  /** Scalars to remove. */
  readonly deleted: JsonValue[];
  /** Empty when the order need not be stated. */
  readonly order: JsonValue[];
}

/** Returns the difference of two lists. `diffItem` compares two objects with the same merge key. */
export function diffLists(
  original: JsonValue[],
  modified: JsonValue[],
  mergeKey: string,
  scope: StrategicDiffScope,
  diffItem: (original: JsonObject, modified: JsonObject) => JsonObject,
): ListDiff {
  if (original.length === 0) return { changed: scope.changes ? modified : [], deleted: [], order: [] };
  if (itemKind(original, modified) === "scalar") return diffScalars(original, modified, scope);

  const changed: JsonValue[] = [];
  const deleted: JsonValue[] = [];
  for (const [left, right] of pairUp(original, modified, (item) => printGo(mergeKeyOf(item, mergeKey)))) {
    if (left !== undefined && right !== undefined) {
      const change = diffItem(left as JsonObject, right as JsonObject);
      if (Object.keys(change).length === 0) continue;
      setOwn(change, mergeKey, mergeKeyOf(right, mergeKey));
      changed.push(change);
    } else if (right !== undefined) {
      if (scope.changes) changed.push(right);
    } else if (left !== undefined && scope.deletions) {
      const marked: JsonObject = { [patchMarker]: "delete" };
      setOwn(marked, mergeKey, mergeKeyOf(left, mergeKey));
      deleted.push(marked);
    }
  }
  const items = [...sortItems(changed, modified, mergeKey, "object"), ...deleted];
  const reordered =
    original.length !== modified.length ||
    original.some((item, index) => mergeKeyOf(item, mergeKey) !== mergeKeyOf(modified[index] ?? null, mergeKey));
  const stated = scope.order && ((scope.changes && (items.length > 0 || reordered)) || (scope.deletions && items.length > 0));
  return { changed: items, deleted: [], order: stated ? modified.map((item) => keyOnly(item, mergeKey)) : [] };
}

function diffScalars(original: JsonValue[], modified: JsonValue[], scope: StrategicDiffScope): ListDiff {
  const added: JsonValue[] = [];
  const deleted: JsonValue[] = [];
  for (const [left, right] of pairUp(original, modified, printGo)) {
    if (left === undefined && right !== undefined && scope.changes) added.push(right);
    if (right === undefined && left !== undefined && scope.deletions) deleted.push(left);
  }
  // Upstream sorts the original in place before it checks whether the lists differ.
  const sorted = original.toSorted((a, b) => compareBytes(printGo(a), printGo(b)));
  const stated = scope.order && ((scope.deletions && deleted.length > 0) || (scope.changes && !jsonEqual(sorted, modified)));
  return { changed: sortItems(added, modified, "", "scalar"), deleted: deduplicate(deleted), order: stated ? modified : [] };
}

/** Walks both lists in text order; yields items with the same text as a pair, others alone. */
function* pairUp(
  original: readonly JsonValue[],
  modified: readonly JsonValue[],
  print: (item: JsonValue) => string,
): Generator<readonly [JsonValue | undefined, JsonValue | undefined]> {
  const sort = (items: readonly JsonValue[]): { readonly item: JsonValue; readonly text: string }[] =>
    items.map((item) => ({ item, text: print(item) })).toSorted((a, b) => compareBytes(a.text, b.text));
  const left = sort(original);
  const right = sort(modified);
  let i = 0;
  let j = 0;
  for (let a = left[i], b = right[j]; a !== undefined || b !== undefined; a = left[i], b = right[j]) {
    const order = a === undefined ? 1 : b === undefined ? -1 : compareBytes(a.text, b.text);
    if (order <= 0) i++;
    if (order >= 0) j++;
    yield [order <= 0 ? a?.item : undefined, order >= 0 ? b?.item : undefined];
  }
}

function keyOnly(item: JsonValue, mergeKey: string): JsonObject {
  const result: JsonObject = {};
  setOwn(result, mergeKey, mergeKeyOf(item, mergeKey));
  return result;
}

// The last of repeated values keeps its place, as upstream.
function deduplicate(values: readonly JsonValue[]): JsonValue[] {
  const result = values.slice();
  const seen = new Set<JsonValue>();
  for (let index = 0; index < result.length;) {
    const value = result[index];
    if (value === undefined || !seen.has(value)) {
      if (value !== undefined) seen.add(value);
      index++;
      continue;
    }
    const last = result.pop();
    if (last !== undefined && index < result.length) result[index] = last;
  }
  return result;
}
