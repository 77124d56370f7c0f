/**
 * The strategic merge patch that carries a user's edit over to an object which others have changed meanwhile, as `kubectl apply` makes
 * it for built-in kinds.
 *
 *     original (applied last), modified (applied now), current (what the server has), Schema → patch for current
 */
import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { patchConflict } from "./merge-patch-error.ts";
import { checkPreconditions } from "./patch-precondition.ts";
import { strategicMergePatchesConflict } from "./strategic-conflicts.ts";
import { diffObjects } from "./strategic-diff.ts";
import { mergeStrategically } from "./strategic-merge.ts";
import type { ThreeStates, ThreeWayOptions } from "./three-way-merge-patch.ts";

/** How a three-way strategic patch is made and checked. */
export interface ThreeWayStrategicOptions extends ThreeWayOptions {
  /** Whether the patch wins over what others changed, or such a conflict is an error.
   *  @default "overwrite" */
  readonly conflicts?: "overwrite" | "refuse";
}

/** The patch for `current`: deletes what went from original to modified, sets what differs between current and modified. */
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
