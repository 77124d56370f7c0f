/**
 * JSON Merge Patch (RFC 7386): a patch looks like the document; null deletes, objects are merged, everything else is replaced.
 *
 *     document, patch → applyMergePatch → document          from, to → diffMergePatch → patch
 */
import { setOwn } from "../json/own.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { jsonKind } from "./json-kind.ts";
import { MergePatchError } from "./merge-patch-error.ts";
import { withoutNullMembers } from "./null-members.ts";

/** Checks that a body is a merge patch for an API object, that is, an object. */
export function parseMergePatch(document: JsonValue): JsonObject {
  if (isJsonObject(document)) return document;
  if (document === null) throw new MergePatchError("malformed", "Invalid JSON Patch");
  throw new MergePatchError(
    "malformed",
    `error decoding patch: json: cannot unmarshal ${jsonKind(document)} into Go value of type map[string]interface {}`,
  );
}

/**
 * Returns the document after the patch.
 *
 * As on the server, and beyond the RFC, nulls are also dropped from objects in a list that is new or replaces anything but an
 * object. Guarantees: changes neither argument; the result may share parts with both.
 */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  return isJsonObject(document) && isJsonObject(patch) ? mergeObjects(document, patch) : withoutNullMembers(patch);
}

/**
 * Returns the merge patch that turns one object into the other.
 *
 * A merge patch cannot express null: a null in `to` becomes a deletion where `from` has the key, and is lost where it does not.
 */
export function diffMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(to)) {
    const old = Object.hasOwn(from, key) ? from[key] : undefined;
    if (isJsonObject(old) && isJsonObject(value)) {
      const change = diffMergePatch(old, value);
      if (Object.keys(change).length > 0) setOwn(patch, key, change);
    } else if (old === undefined || !jsonEqual(old, value)) {
      setOwn(patch, key, value);
    }
  }
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) setOwn(patch, key, null);
  return patch;
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const result = { ...document };
  for (const [key, value] of Object.entries(patch)) {
    const old = Object.hasOwn(result, key) ? result[key] : undefined;
    if (value === null) delete result[key];
    else if (isJsonObject(old)) setOwn(result, key, isJsonObject(value) ? mergeObjects(old, value) : value);
    else setOwn(result, key, withoutNullMembers(value));
  }
  return result;
}
