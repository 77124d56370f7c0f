/**
 * The merge patch that carries a user's edit over to an object which others have changed meanwhile, as `kubectl apply` makes it for
 * custom resources.
 *
 *     original (what was applied last), modified (what is applied now), current (what the server has) → patch for current
 */
import { setOwn } from "../json/own.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { patchConflict } from "./merge-patch-error.ts";
import { applyMergePatch, diffMergePatch } from "./merge-patch.ts";
import { checkPreconditions } from "./patch-precondition.ts";
import type { PatchPrecondition } from "./patch-precondition.ts";

/** The three states of one object that a three-way patch is made from. */
export interface ThreeStates {
  /** What was applied last; `{}` when nothing was. */
  readonly original: JsonObject;
  /** What is to be applied now. */
  readonly modified: JsonObject;
  /** What the server has. */
  readonly current: JsonObject;
}

/** How a three-way patch is checked. */
export interface ThreeWayOptions {
  /** What must hold of the patch.
   *  @default [] */
  readonly preconditions?: readonly PatchPrecondition[];
}

/** The patch for `current`: deletes what went from original to modified, sets what differs between current and modified. */
export function threeWayMergePatch({ original, modified, current }: ThreeStates, { preconditions = [] }: ThreeWayOptions = {}): JsonObject {
  const changes = onlyChanges(diffMergePatch(current, modified));
  const deletions = onlyDeletions(diffMergePatch(original, modified));
  if (mergePatchesConflict(changes, deletions)) throw patchConflict(changes, deletions);
  const patch = applyMergePatch(deletions, changes) as JsonObject;
  checkPreconditions(patch, preconditions);
  return patch;
}

/**
 * Whether two merge patches set the same key to different values, so that their order would matter. Lists conflict
 * unless their items agree.
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

// An object left empty by the filter was a patch without effect; one that was empty from the start is a value.
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
