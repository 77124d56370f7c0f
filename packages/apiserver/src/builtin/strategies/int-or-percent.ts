/** Numbers or percentages of pods: maxUnavailable, maxSurge. */
import { checkPercent, fieldInvalid, isPercent } from "@drover/machinery";
import type { FieldError, FieldPath, IntOrString } from "@drover/machinery";
import { problemsOf, validateNonNegative } from "./checked-field.ts";

/** Must be a non-negative number or a percentage. */
export function validateIntOrPercent(value: IntOrString, path: FieldPath): FieldError[] {
  return typeof value === "number" ? validateNonNegative(value, path) : problemsOf(path, value, checkPercent(value));
}

/** A percentage must not exceed 100 %. */
export function validateAtMostAll(value: IntOrString, path: FieldPath): FieldError[] {
  return isPercent(value) && intOrPercent(value) > 100 ? [fieldInvalid(path, value, "must not be greater than 100%")] : [];
}

/** Returns the number, or the number of the percentage; 0 for other text. */
export function intOrPercent(value: IntOrString): number {
  const text = typeof value === "string" && isPercent(value) ? value.slice(0, -1) : value;
  return typeof text === "number" || /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}
