/** Preconditions of computed patches. */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject } from "../json/json-value.ts";
import { preconditionFailed } from "./merge-patch-error.ts";

/** Whether a computed patch is acceptable. */
export type PatchPrecondition = (patch: JsonObject) => boolean;

/** Holds when the patch does not touch this key of the object; for `apiVersion` and `kind`. */
export function requireKeyUnchanged(key: string): PatchPrecondition {
  return (patch) => !Object.hasOwn(patch, key);
}

/** Holds when the patch does not touch this key of the metadata; for `name` and `namespace`. */
export function requireMetadataKeyUnchanged(key: string): PatchPrecondition {
  return (patch) => {
    const metadata = Object.hasOwn(patch, "metadata") ? patch["metadata"] : undefined;
    return !isJsonObject(metadata) || !Object.hasOwn(metadata, key);
  };
}

/** Throws a `MergePatchError` when a precondition fails. */
export function checkPreconditions(patch: JsonObject, preconditions: readonly PatchPrecondition[]): void {
  if (!preconditions.every((holds) => holds(patch))) throw preconditionFailed(patch);
}
