/**
 * Fields that an apply does not manage: Wrangler's diff patches. Wrangler hides the difference; here the field is not
 * applied, so another field manager can own it.
 */
import { JsonPatchError, applyJsonPatch, isInstanceOf, sameGroupVersionKind } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, JsonObject, JsonPatchOperation, Kind, KubeObject } from "@drover/machinery";

/** Fields of one object, or of all objects of a kind, that are not applied. */
export interface IgnoredDifference {
  readonly kind: GroupVersionKind;
  /** "" matches any. */
  readonly namespace: string;
  /** "" matches any. */
  readonly name: string;
  readonly operations: readonly JsonPatchOperation[];
}

type JsonKubeObject = DeepReadonly<KubeObject> & JsonObject;

/** Throws `TypeError` for an operation other than "remove". */
export function checkIgnored(operations: readonly JsonPatchOperation[]): void {
  const other = operations.find(({ op }) => op !== "remove");
  if (other !== undefined)
    throw new TypeError(
      `apply: withDiffPatch: "${other.op}" at ${other.path} is not supported: ignored fields are not applied, so only "remove" is allowed; change the object itself for anything else`,
    );
}

/** Returns the object without its ignored fields. */
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
  return operations.reduce(removed, object as JsonKubeObject);
}

/** Ignores operations on missing fields. */
function removed(document: JsonKubeObject, operation: JsonPatchOperation): JsonKubeObject {
  try {
    return applyJsonPatch(document, [operation]) as JsonKubeObject;
  } catch (error) {
    if (isInstanceOf(error, JsonPatchError)) return document;
    throw error;
  }
}
