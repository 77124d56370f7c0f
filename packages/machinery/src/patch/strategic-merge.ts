/**
 * Applies a strategic merge patch: a merge patch that merges lists by the keys of the schema, and whose directives express what a
 * merge patch cannot.
 *
 *     object, patch, Schema → applyStrategicMergePatch → object
 */
import { goType, printGo } from "../json/go-print.ts";
import { setOwn } from "../json/own.ts";
import type { Schema } from "../schema/schema.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { jsonKind } from "./json-kind.ts";
import { MergePatchError, unknownMarker, wrongType } from "./merge-patch-error.ts";
import { withoutNullMembers } from "./null-members.ts";
import {
  deleteFromListPrefix,
  directiveField,
  elementOrderPrefix,
  patchMarker,
  retainKeysDirective,
  withoutMarked,
} from "./strategic-directives.ts";
import { mergeLists, partitionItems } from "./strategic-list.ts";
import type { MergedList } from "./strategic-list.ts";
import { isMarkedForDeletion, itemKind, mergeKeyOf, weaveItems } from "./strategic-order.ts";
import { listField, objectField } from "./strategic-schema.ts";
import type { PatchField } from "./strategic-schema.ts";

/** Checks that a body is a strategic merge patch, that is, an object; null changes nothing. */
export function parseStrategicMergePatch(document: JsonValue): JsonObject {
  if (document === null) return {};
  if (isJsonObject(document)) return document;
  throw new MergePatchError("malformed", `json: cannot unmarshal ${jsonKind(document)} into Go value of type map[string]interface {}`);
}

/**
 * Returns the object after the patch. Throws a {@link MergePatchError} when a directive is malformed or the patch does not fit the
 * schema.
 *
 * Guarantees: changes neither argument; the result may share parts with both. Keeps fields unknown to the schema.
 */
export function applyStrategicMergePatch(original: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  return mergeStrategically(original, patch, schema, "apply");
}

/** "apply" executes directives; "combine" merges two patches into one and keeps directives and nulls for the server. */
export type StrategicMergeMode = "apply" | "combine";

/** Merges a patch into an object or, in mode "combine", into another patch. */
export function mergeStrategically(original: JsonObject, patch: JsonObject, schema: Schema, mode: StrategicMergeMode): JsonObject {
  if (Object.hasOwn(patch, patchMarker)) return obeyMarker(patch);
  const result = { ...original };
  const rest = { ...patch };
  retainKeys(result, rest, mode);
  for (const key of Object.keys(patch)) if (key.startsWith(elementOrderPrefix)) mergeOrderedList(result, rest, key, schema, mode);
  for (const [key, value] of Object.entries(rest)) mergeMember(result, key, value, schema, mode);
  return result;
}

function obeyMarker(patch: JsonObject): JsonObject {
  const marker = patch[patchMarker] ?? null;
  if (marker === "delete") return {};
  if (marker !== "replace") throw unknownMarker(marker, patch);
  const { [patchMarker]: _marker, ...rest } = patch;
  return rest;
}

function retainKeys(result: JsonObject, rest: JsonObject, mode: StrategicMergeMode): void {
  const retained = Object.hasOwn(rest, retainKeysDirective) ? rest[retainKeysDirective] : undefined;
  if (retained === undefined) return;
  delete rest[retainKeysDirective];
  if (mode === "combine") {
    const other = Object.hasOwn(result, retainKeysDirective) ? result[retainKeysDirective] : undefined;
    if (other !== undefined && !jsonEqual(other, retained)) {
      throw new MergePatchError(
        "inapplicable",
        `${printGo(other)} and ${printGo(retained)} are not deep equal: this may happen when calculating the 3-way diff patch`,
      );
    }
    setOwn(result, retainKeysDirective, retained);
    return;
  }
  const bad = new MergePatchError("malformed", "invalid patch format of retainKeys");
  if (!Array.isArray(retained)) throw bad;
  const keys = new Set(retained);
  for (const [key, value] of Object.entries(rest)) {
    if (value !== null && !key.startsWith(deleteFromListPrefix) && !key.startsWith(elementOrderPrefix) && !keys.has(key)) throw bad;
  }
  for (const key of Object.keys(result)) if (!keys.has(key)) delete result[key];
}

// Merges and orders the list of a $setElementOrder, and removes both from the rest of the patch.
function mergeOrderedList(result: JsonObject, rest: JsonObject, directive: string, schema: Schema, mode: StrategicMergeMode): void {
  const order = rest[directive] ?? null;
  delete rest[directive];
  if (mode === "combine") {
    const other = Object.hasOwn(result, directive) ? result[directive] : undefined;
    if (other !== undefined && !jsonEqual(other, order)) throw badElementOrder();
    setOwn(result, directive, order);
  }
  if (!Array.isArray(order)) throw wrongType("[]interface {}", order);
  const name = directiveField(directive, elementOrderPrefix);
  const original = ownList(result, name);
  const patch = ownList(rest, name);
  const field = listField(schema, name);
  checkOrder(patch ?? [], order, field.mergeKey);
  if (original === undefined && patch === undefined) return;
  const { items, serverOrder } = mergeForOrder(original, patch, field, mode);
  const halves = partitionItems(items, order, field.mergeKey);
  const kind = itemKind(original ?? [], patch ?? []);
  setOwn(result, name, weaveItems({ ...halves, patchOrder: order, serverOrder }, field.mergeKey, kind));
  delete rest[name];
}

function mergeForOrder(
  original: JsonValue[] | undefined,
  patch: JsonValue[] | undefined,
  field: PatchField,
  mode: StrategicMergeMode,
): MergedList {
  if (patch === undefined) return { items: original ?? [], serverOrder: original ?? [] };
  if (original === undefined) return { items: patch.map(withoutMarked).filter((item) => item !== undefined), serverOrder: [] };
  if (field.strategy !== "merge") return { items: patch, serverOrder: original };
  return mergeLists(original, patch, field, (left, right) => mergeStrategically(left, right, field.schema, mode));
}

function mergeMember(result: JsonObject, directiveOrKey: string, value: JsonValue, schema: Schema, mode: StrategicMergeMode): void {
  const deletesItems = directiveOrKey.startsWith(deleteFromListPrefix);
  if (deletesItems && mode === "combine") return setOwn(result, directiveOrKey, value);
  const key = deletesItems ? directiveField(directiveOrKey, deleteFromListPrefix) || directiveOrKey : directiveOrKey;
  if (value === null) {
    delete result[key];
    if (mode === "apply") return;
  }
  const old = Object.hasOwn(result, key) ? result[key] : undefined;
  if (old === undefined || goType(old) !== goType(value)) {
    if (!deletesItems) setUnlessMarked(result, key, mode === "apply" ? withoutNullMembers(value) : value);
  } else if (isJsonObject(old) && isJsonObject(value)) {
    const field = objectField(schema, key);
    setOwn(result, key, field.strategy === "replace" ? value : mergeStrategically(old, value, field.schema, mode));
  } else if (Array.isArray(old) && Array.isArray(value)) {
    setOwn(result, key, mergeListMember(old, value, listField(schema, key), { deletesItems, mode }));
  } else {
    setOwn(result, key, value);
  }
}

interface ListMemberOptions {
  readonly deletesItems: boolean;
  readonly mode: StrategicMergeMode;
}

function mergeListMember(old: JsonValue[], value: JsonValue[], field: PatchField, { deletesItems, mode }: ListMemberOptions): JsonValue[] {
  if (field.strategy !== "merge" && !deletesItems) return value;
  if (deletesItems && (old.length > 0 || value.length > 0) && itemKind(old, value) === "scalar") {
    const unwanted = new Set(value);
    return old.filter((item) => !unwanted.has(item));
  }
  return [...mergeLists(old, value, field, (left, right) => mergeStrategically(left, right, field.schema, mode)).items];
}

function setUnlessMarked(result: JsonObject, key: string, value: JsonValue): void {
  const kept = withoutMarked(value);
  if (kept === undefined) delete result[key];
  else setOwn(result, key, kept);
}

function ownList(object: JsonObject, name: string): JsonValue[] | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value !== undefined && !Array.isArray(value)) throw wrongType("[]interface {}", value);
  return value;
}

// The items of the patch must follow the order of the directive, which must name all of them except items to delete.
function checkOrder(patch: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const identity = (item: JsonValue): JsonValue => (mergeKey === "" ? item : mergeKeyOf(item, mergeKey));
  const stray = mergeKey === "" ? undefined : patch.find((item) => !isJsonObject(item));
  if (stray !== undefined) throw wrongType("map[string]interface {}", stray);
  const items = patch.filter((item) => mergeKey === "" || !isMarkedForDeletion(item));
  let next = 0;
  for (const entry of order) {
    for (let item = items[next]; item !== undefined && isJsonObject(item) && Object.hasOwn(item, patchMarker); item = items[next]) next++;
    const item = items[next];
    if (item === undefined) return;
    if (identity(item) === identity(entry)) next++;
  }
  if (next < items.length) {
    throw new MergePatchError(
      "inapplicable",
      `The order in patch list:\n${printGo(patch)}\n doesn't match ${elementOrderPrefix} list:\n${printGo(order)}\n`,
    );
  }
}

function badElementOrder(): MergePatchError {
  return new MergePatchError("malformed", "invalid patch format of setElementOrder list");
}
