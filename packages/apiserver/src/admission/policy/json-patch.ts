/**
 * Applies the JSON patch that an expression constructs.
 *
 *     [JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}], object → applyConstructedPatch → JSON
 */
import { applyJsonPatch, JsonPatchError } from "@drover/machinery";
import type { JsonObject, JsonPatchOperation, JsonValue } from "@drover/machinery";
import { isFailure } from "../../cel/value/failure.ts";
import { toJson } from "../../cel/value/json-value.ts";
import { structFieldsOf } from "../../cel/value/struct-value.ts";
import { itemsOf } from "../../cel/value/value.ts";
import type { CelValue } from "../../cel/value/value.ts";
import { checkTypeNames } from "./constructed-object.ts";
import { PatchFailure } from "./patch-failure.ts";

/** Returns the patched JSON; undefined if a test of the patch fails, which leaves the object as it is. Throws a `PatchFailure`. */
export function applyConstructedPatch(object: JsonObject, patch: CelValue): JsonValue | undefined {
  try {
    return applyJsonPatch(object, operationsOf(patch));
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    if (error.reason === "test-failed") return undefined;
    throw new PatchFailure(`JSON Patch: ${error.message}`);
  }
}

function operationsOf(patch: CelValue): readonly JsonPatchOperation[] {
  const items = typeof patch === "object" && patch !== null && "kind" in patch && patch.kind === "list" ? itemsOf(patch) : undefined;
  if (items === undefined || isFailure(items)) throw new PatchFailure("type mismatch: JSONPatchType.expression should evaluate to array");
  return items.map(operationOf);
}

function operationOf(item: CelValue): JsonPatchOperation {
  const fields = structFieldsOf(item);
  if (fields === undefined) throw new PatchFailure("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const value = fields.get("value");
  return {
    op: text("op"),
    path: text("path"),
    ...(text("from") === "" ? {} : { from: text("from") }),
    ...(value === undefined ? {} : { value: jsonOf(value) }),
  } as JsonPatchOperation;
}

function jsonOf(value: CelValue): JsonValue {
  checkTypeNames(value);
  const outcome = toJson(value);
  if ("problem" in outcome)
    throw new PatchFailure(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${outcome.problem}`);
  return outcome.json;
}
