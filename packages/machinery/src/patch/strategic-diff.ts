/**
 * Computes strategic merge patches between two objects.
 *
 *     original, modified, Schema → diffStrategicMergePatch → patch for original
 */
import { compareBytes } from "../go/byte-text.ts";
import { goType } from "../json/go-print.ts";
import { setOwn } from "../json/own.ts";
import type { Schema } from "../schema/schema.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { MergePatchError } from "./merge-patch-error.ts";
import { checkPreconditions } from "./patch-precondition.ts";
import type { PatchPrecondition } from "./patch-precondition.ts";
import { deleteFromListPrefix, elementOrderPrefix, patchMarker, retainKeysDirective } from "./strategic-directives.ts";
import { diffLists } from "./strategic-list-diff.ts";
import type { StrategicDiffScope } from "./strategic-list-diff.ts";
import { listField, objectField } from "./strategic-schema.ts";
import type { PatchField } from "./strategic-schema.ts";

/** Options of `diffStrategicMergePatch`. */
export interface StrategicDiffOptions {
  /** Preconditions of the patch. @default [] */
  readonly preconditions?: readonly PatchPrecondition[];
}

/**
 * Returns the strategic merge patch that turns `original` into `modified`; empty when nothing changes.
 *
 * Assumes that merge keys are unique within their lists. As upstream, a merged list of scalars that is unsorted in `original` is
 * restated as `$setElementOrder` even when it does not change.
 */
export function diffStrategicMergePatch(
  original: JsonObject,
  modified: JsonObject,
  schema: Schema,
  { preconditions = [] }: StrategicDiffOptions = {},
): JsonObject {
  const patch = diffObjects(original, modified, schema, { changes: true, deletions: true, order: true });
  checkPreconditions(patch, preconditions);
  return patch;
}

/** Returns the parts of a difference that `scope` selects, as a patch. */
export function diffObjects(
  original: JsonObject,
  modified: JsonObject,
  schema: Schema,
  scope: StrategicDiffScope,
  retainsKeys = false,
): JsonObject {
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(modified)) {
    const old = Object.hasOwn(original, key) ? original[key] : undefined;
    if (old !== undefined && key === patchMarker) diffMarker(patch, old, value);
    else if (isJsonObject(old) && isJsonObject(value)) diffObjectMember(patch, key, [old, value], schema, scope);
    else if (Array.isArray(old) && Array.isArray(value)) diffListMember(patch, key, [old, value], schema, scope);
    else if (scope.changes && (old === undefined || goType(old) !== goType(value) || !jsonEqual(old, value))) setOwn(patch, key, value);
  }
  const gone = Object.keys(original).filter((key) => !Object.hasOwn(modified, key));
  if (scope.deletions) for (const key of gone) setOwn(patch, key, null);
  if (retainsKeys) {
    const retained = Object.keys(modified).filter((key) => modified[key] !== null);
    const clears = Object.keys(patch).length > 0 || gone.some((key) => original[key] !== null);
    if (retained.length > 0 && clears) setOwn(patch, retainKeysDirective, retained.toSorted(compareBytes));
  }
  return patch;
}

type Pair<T> = readonly [original: T, modified: T];

function diffMarker(patch: JsonObject, old: JsonValue, value: JsonValue): void {
  if (typeof old !== "string" || typeof value !== "string")
    throw new MergePatchError("inapplicable", `invalid value for special key: ${patchMarker}`);
  if (old !== value) setOwn(patch, patchMarker, value);
}

function diffObjectMember(patch: JsonObject, key: string, [old, value]: Pair<JsonObject>, schema: Schema, scope: StrategicDiffScope): void {
  const field = fieldUnlessEqual(objectField, schema, key, old, value);
  if (field === undefined) return;
  if (field.strategy === "replace") {
    if (scope.changes) setOwn(patch, key, value);
    return;
  }
  const change = diffObjects(old, value, field.schema, scope, field.retainKeys);
  if (Object.keys(change).length > 0) setOwn(patch, key, change);
}

function diffListMember(patch: JsonObject, key: string, [old, value]: Pair<JsonValue[]>, schema: Schema, scope: StrategicDiffScope): void {
  const field = fieldUnlessEqual(listField, schema, key, old, value);
  if (field === undefined) return;
  if (field.strategy !== "merge") {
    if (scope.changes && !jsonEqual(old, value)) setOwn(patch, key, value);
    return;
  }
  const { changed, deleted, order } = diffLists(old, value, field.mergeKey, scope, (left, right) =>
    diffObjects(left, right, field.schema, scope, field.retainKeys),
  );
  if (changed.length > 0) setOwn(patch, key, changed);
  if (deleted.length > 0) setOwn(patch, `${deleteFromListPrefix}/${key}`, deleted);
  if (order.length > 0) setOwn(patch, `${elementOrderPrefix}/${key}`, order);
}

// A field unknown to the schema matters only when it differs.
function fieldUnlessEqual(look: typeof objectField, schema: Schema, key: string, old: JsonValue, value: JsonValue): PatchField | undefined {
  try {
    return look(schema, key);
  } catch (error) {
    if (jsonEqual(old, value)) return undefined;
    throw error;
  }
}
