/**
 * Fields that an apply leaves to others: Wrangler's diff patches. There they hide a difference; here the field is not
 * applied at all, so that
 * whoever sets it owns it.
 */
import { applyJsonPatch, JsonPatchError, sameGroupVersionKind } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, JsonPatchOperation, JsonValue, Kind, KubeObject } from "@drover/machinery";

/** Fields of one object, or of all of a kind, that are left to others. */
export interface IgnoredDifference {
  readonly kind: GroupVersionKind;
  /** "" is any. */
  readonly namespace: string;
  /** "" is any. */
  readonly name: string;
  readonly operations: readonly JsonPatchOperation[];
}

/** Throws a TypeError for an operation that does not take a field away. */
export function checkIgnored(operations: readonly JsonPatchOperation[]): void {
  const other = operations.find(({ op }) => op !== "remove");
  if (other !== undefined)
    throw new TypeError(
      `apply: withDiffPatch: "${other.op}" at ${other.path} cannot be kept: a difference is ignored by not applying the field, so only "remove" is taken; change the object itself for anything else`,
    );
}

/** The object without the fields that are ignored in it. */
export function withoutIgnored(
  object: DeepReadonly<KubeObject>,
  kind: Kind,
  ignored: readonly IgnoredDifference[],
): DeepReadonly<KubeObject> {
  const { name = "", namespace = "" } = object.metadata;
  const fits = (wanted: string, is: string): boolean => wanted === "" || wanted === is;
  const operations = ignored
    .filter((one) => sameGroupVersionKind(one.kind, kind) && fits(one.namespace, namespace) && fits(one.name, name))
    .flatMap((one) => one.operations);
  return operations.reduce<JsonValue>(removed, object as unknown as JsonValue) as unknown as DeepReadonly<KubeObject>;
}

/** What is not there need not be taken away. */
function removed(document: JsonValue, operation: JsonPatchOperation): JsonValue {
  try {
    return applyJsonPatch(document, [operation]);
  } catch (error) {
    if (error instanceof JsonPatchError) return document;
    throw error;
  }
}
