/** What must hold of a computed patch before it is handed out. */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject } from "../json/json-value.ts";
import { preconditionFailed } from "./merge-patch-error.ts";

/** Whether a computed patch may pass. */
export type PatchPrecondition = (patch: JsonObject) => boolean;

/** Holds when the patch leaves this key of the object alone; for `apiVersion` and `kind`. */
export function requireKeyUnchanged(key: string): PatchPrecondition {
  return (patch) => !Object.hasOwn(patch, key);
}

/** Holds when the patch leaves this key of the metadata alone; for `name` and `namespace`. */
export function requireMetadataKeyUnchanged(key: string): PatchPrecondition {
  return (patch) => {
    const metadata = Object.hasOwn(patch, "metadata") ? patch["metadata"] : undefined;
    return !isJsonObject(metadata) || !Object.hasOwn(metadata, key);
  };
}

/** Throws a `MergePatchError` when one of the preconditions does not hold. */
export function checkPreconditions(patch: JsonObject, preconditions: readonly PatchPrecondition[]): void {
  if (!preconditions.every((holds) => holds(patch))) throw preconditionFailed(patch);
}
