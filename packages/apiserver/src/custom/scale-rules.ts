/** Validates the fields behind `scale`: non-negative 32-bit integers, and a string selector. */
import type { CustomResourceSubresourceScale } from "@drover/api/apiextensions/v1";
import { fieldInvalid, isInstanceOf, nestedInt64, nestedString } from "@drover/machinery";
import type { FieldError, JsonObject } from "@drover/machinery";

const int32Max = 2 ** 31 - 1;

/** Splits a path into its keys: ".spec.replicas" → spec, replicas. */
export const keysOfPath = (jsonPath: string): string[] => jsonPath.replace(/^\./, "").split(".");

/** Validates the desired number of replicas. */
export function checkScaleSpec(object: JsonObject, { specReplicasPath }: CustomResourceSubresourceScale): FieldError[] {
  return checkReplicas(object, specReplicasPath);
}

/** Validates the observed number of replicas and their selector. */
export function checkScaleStatus(
  object: JsonObject,
  { statusReplicasPath, labelSelectorPath }: CustomResourceSubresourceScale,
): FieldError[] {
  return [
    ...checkReplicas(object, statusReplicasPath),
    ...(labelSelectorPath === undefined ? [] : checkSelector(object, labelSelectorPath)),
  ];
}

function checkReplicas(object: JsonObject, jsonPath: string): FieldError[] {
  const replicas = read(() => nestedInt64(object, ...keysOfPath(jsonPath)) ?? 0);
  if (replicas instanceof TypeError) return [fieldInvalid(jsonPath, 0, replicas.message)];
  if (replicas < 0) return [fieldInvalid(jsonPath, replicas, "should be a non-negative integer")];
  return replicas > int32Max ? [fieldInvalid(jsonPath, replicas, `should be less than or equal to ${int32Max}`)] : [];
}

function checkSelector(object: JsonObject, jsonPath: string): FieldError[] {
  const selector = read(() => nestedString(object, ...keysOfPath(jsonPath)));
  return selector instanceof TypeError ? [fieldInvalid(jsonPath, "", selector.message)] : [];
}

/** Returns the value, or the TypeError of reading it. */
function read<T>(get: () => T): T | TypeError {
  try {
    return get();
  } catch (error) {
    if (isInstanceOf(error, TypeError)) return error;
    throw error;
  }
}
