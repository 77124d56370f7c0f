/** Identifies list items without a schema: by a field that every item has with a unique value. */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** Tried in this order: most lists of the API have names, conditions have types. */
const candidates: readonly string[] = ["name", "type", "mountPath", "containerPort", "port", "ip"];

/** An item with its key. */
export interface KeyedItem {
  /** "name=app" */
  readonly label: string;
  readonly item: JsonValue;
}

/** Returns the items of two lists by key; undefined if no field identifies all of them. */
export function keyedItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): { readonly before: ReadonlyMap<string, KeyedItem>; readonly after: ReadonlyMap<string, KeyedItem> } | undefined {
  if (!before.every(isJsonObject) || !after.every(isJsonObject)) return undefined;
  for (const field of candidates) {
    const left = byField(before, field);
    const right = left === undefined ? undefined : byField(after, field);
    if (left !== undefined && right !== undefined) return { before: left, after: right };
  }
  return undefined;
}

function byField(items: readonly JsonObject[], field: string): Map<string, KeyedItem> | undefined {
  const keyed = new Map<string, KeyedItem>();
  for (const item of items) {
    const key = getOwn(item, field);
    if ((typeof key !== "string" && typeof key !== "number") || key === "") return undefined;
    keyed.set(`${typeof key} ${key}`, { label: `${field}=${key}`, item });
  }
  return keyed.size === items.length ? keyed : undefined;
}
