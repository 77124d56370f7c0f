/** The forms a patch can have once it is read. */
import type { JsonObject, JsonPatchOperation } from "@drover/machinery";

export type PatchDocument =
  | { readonly type: "json"; readonly operations: readonly JsonPatchOperation[]; readonly problems: readonly string[] }
  | { readonly type: "merge" | "strategic"; readonly document: JsonObject; readonly problems: readonly string[] }
  | { readonly type: "apply"; readonly document: JsonObject };

/** A patch that says what to change, rather than what there is to be. */
export type ChangingPatch = Exclude<PatchDocument, { readonly type: "apply" }>;
