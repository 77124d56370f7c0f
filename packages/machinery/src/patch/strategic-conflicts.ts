/** Whether two strategic merge patches for the same object conflict. */
import { compareBytes } from "../go/byte-text.ts";
import { printGo } from "../json/go-print.ts";
import type { Schema } from "../schema/schema.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { MergePatchError } from "./merge-patch-error.ts";
import { patchMarker, retainKeysDirective } from "./strategic-directives.ts";
import { itemKind } from "./strategic-order.ts";
import { listField, objectField } from "./strategic-schema.ts";
import type { PatchField } from "./strategic-schema.ts";

/** Whether the patches set the same key to different values, or mark the same object differently. */
export function strategicMergePatchesConflict(left: JsonObject, right: JsonObject, schema: Schema): boolean {
  return valuesConflict(left, right, { schema, strategy: "", mergeKey: "", retainKeys: false });
}

function valuesConflict(left: JsonValue, right: JsonValue, field: PatchField): boolean {
  if (isJsonObject(left)) return !isJsonObject(right) || objectsConflict(left, right, field);
  if (Array.isArray(left)) return !Array.isArray(right) || listsConflict(left, right, field);
  return !jsonEqual(left, right);
}

function objectsConflict(left: JsonObject, right: JsonObject, { schema, strategy }: PatchField): boolean {
  const marks = [left, right].map((object) => (Object.hasOwn(object, patchMarker) ? object[patchMarker] : undefined));
  if (marks[0] !== marks[1]) return true;
  if (strategy === "replace") return false;
  return Object.entries(left).some(([key, value]) => {
    if (key === patchMarker || key === retainKeysDirective || !Object.hasOwn(right, key)) return false;
    return valuesConflict(value, right[key] ?? null, fieldOf(schema, key, value));
  });
}

function fieldOf(schema: Schema, key: string, value: JsonValue): PatchField {
  if (Array.isArray(value)) return listField(schema, key);
  return isJsonObject(value) ? objectField(schema, key) : { schema, strategy: "", mergeKey: "", retainKeys: false };
}

function listsConflict(left: JsonValue[], right: JsonValue[], { schema, strategy, mergeKey }: PatchField): boolean {
  const kind = itemKind(left, right);
  const plain: PatchField = { schema, strategy: "", mergeKey: "", retainKeys: false };
  if (strategy === "merge") {
    if (kind === "scalar") return false;
    const others = byMergeKey(right, mergeKey);
    return [...byMergeKey(left, mergeKey)].some(([key, item]) => {
      const other = others.get(key);
      return other !== undefined && valuesConflict(item, other, plain);
    });
  }
  if (left.length !== right.length) return true;
  if (kind === "scalar") return !jsonEqual(sortedSet(left), sortedSet(right));
  return left.some((item, index) => valuesConflict(item, right[index] ?? null, plain));
}

function byMergeKey(items: readonly JsonValue[], mergeKey: string): Map<JsonValue, JsonObject> {
  const result = new Map<JsonValue, JsonObject>();
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    const key = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
    if (key === undefined)
      throw new MergePatchError("inapplicable", `cannot find merge key \`${mergeKey}\` in merging list element:${printGo(item)}`);
    result.set(key, item);
  }
  return result;
}

function sortedSet(items: readonly JsonValue[]): JsonValue[] {
  return [...new Set(items)].toSorted((a, b) => compareBytes(printGo(a), printGo(b)));
}
