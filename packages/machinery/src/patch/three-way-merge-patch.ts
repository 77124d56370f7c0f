/**
 * Three-way merge patch: applies a user's edit to an object that others have changed meanwhile, as `kubectl apply` does for custom
 * resources.
 *
 *     original (last applied), modified (to apply now), current (on the server) → patch for current
 */
import { setOwn } from "../json/own.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { patchConflict } from "./merge-patch-error.ts";
import { applyMergePatch, diffMergePatch } from "./merge-patch.ts";
import { checkPreconditions } from "./patch-precondition.ts";
import type { PatchPrecondition } from "./patch-precondition.ts";

/** The three states of one object. */
export interface ThreeStates {
  /** Last applied state; `{}` if unknown. */
  readonly original: JsonObject;
  /** State to apply now. */
  readonly modified: JsonObject;
  /** State on the server. */
  readonly current: JsonObject;
}

/** Options of a three-way patch. */
export interface ThreeWayOptions {
  /** Preconditions of the patch. @default [] */
  readonly preconditions?: readonly PatchPrecondition[];
}

/** Returns the patch for `current`: deletes what was removed from original to modified, sets what differs between current and modified. */
export function threeWayMergePatch({ original, modified, current }: ThreeStates, { preconditions = [] }: ThreeWayOptions = {}): JsonObject {
  const changes = onlyChanges(diffMergePatch(current, modified));
  const deletions = onlyDeletions(diffMergePatch(original, modified));
  if (mergePatchesConflict(changes, deletions)) throw patchConflict(changes, deletions);
  const patch = applyMergePatch(deletions, changes) as JsonObject;
  checkPreconditions(patch, preconditions);
  return patch;
}

/**
 * Whether two merge patches set the same key to different values, so that their order would matter. Lists conflict unless their
 * items agree.
 */
export function mergePatchesConflict(left: JsonValue, right: JsonValue): boolean {
  if (isJsonObject(left)) {
    if (!isJsonObject(right)) return true;
    return Object.entries(left).some(([key, value]) => Object.hasOwn(right, key) && mergePatchesConflict(value, right[key] ?? null));
  }
  if (Array.isArray(left)) {
    return (
      !Array.isArray(right) || left.length !== right.length || left.some((item, index) => mergePatchesConflict(item, right[index] ?? null))
    );
  }
  return !jsonEqual(left, right);
}

// An object that the filter emptied was a patch without effect; one that was empty from the start is a value.
function onlyChanges(patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    const kept = isJsonObject(value) ? onlyChanges(value) : value;
    if (kept !== null && !(isEmptyObject(kept) && !isEmptyObject(value))) setOwn(result, key, kept);
  }
  return result;
}

function onlyDeletions(patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    const kept = isJsonObject(value) ? onlyDeletions(value) : value;
    if (kept === null || (isJsonObject(kept) && !isEmptyObject(kept))) setOwn(result, key, kept);
  }
  return result;
}

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
