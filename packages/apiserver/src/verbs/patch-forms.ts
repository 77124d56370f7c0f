/** Parsed patches. */
import type { JsonObject, JsonPatchOperation } from "@drover/machinery";

export type PatchDocument =
  | { readonly type: "json"; readonly operations: readonly JsonPatchOperation[]; readonly problems: readonly string[] }
  | { readonly type: "merge" | "strategic"; readonly document: JsonObject; readonly problems: readonly string[] }
  | { readonly type: "apply"; readonly document: JsonObject };

/** A patch that changes the current object, in contrast to an apply configuration. */
export type ChangingPatch = Exclude<PatchDocument, { readonly type: "apply" }>;
