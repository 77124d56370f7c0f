/**
 * Three-way strategic merge patch: applies a user's edit to an object that others have changed meanwhile, as `kubectl apply` does
 * for built-in kinds.
 *
 *     original (last applied), modified (to apply now), current (on the server), Schema → patch for current
 */
import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { patchConflict } from "./merge-patch-error.ts";
import { checkPreconditions } from "./patch-precondition.ts";
import { strategicMergePatchesConflict } from "./strategic-conflicts.ts";
import { diffObjects } from "./strategic-diff.ts";
import { mergeStrategically } from "./strategic-merge.ts";
import type { ThreeStates, ThreeWayOptions } from "./three-way-merge-patch.ts";

/** Options of a three-way strategic merge patch. */
export interface ThreeWayStrategicOptions extends ThreeWayOptions {
  /** Whether the patch overwrites changes of others, or throws on a conflict. @default "overwrite" */
  readonly conflicts?: "overwrite" | "refuse";
}

/** Returns the patch for `current`: deletes what was removed from original to modified, sets what differs between current and modified. */
export function threeWayStrategicMergePatch(
  { original, modified, current }: ThreeStates,
  schema: Schema,
  { conflicts = "overwrite", preconditions = [] }: ThreeWayStrategicOptions = {},
): JsonObject {
  const changes = diffObjects(current, modified, schema, { changes: true, deletions: false, order: true });
  const deletions = diffObjects(original, modified, schema, { changes: false, deletions: true, order: true });
  const patch = mergeStrategically(deletions, changes, schema, "combine");
  checkPreconditions(patch, preconditions);
  if (conflicts === "refuse") {
    const others = diffObjects(original, current, schema, { changes: true, deletions: true, order: false });
    if (strategicMergePatchesConflict(patch, others, schema)) throw patchConflict(patch, others);
  }
  return patch;
}
