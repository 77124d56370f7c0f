/** Numbers of pods, or percentages of all of them: how many may be missing, how many too many. */
import { checkPercent, fieldInvalid, isPercent } from "@drover/machinery";
import type { FieldError, FieldPath, IntOrString } from "@drover/machinery";
import { problemsOf, validateNonNegative } from "./checked-field.ts";

/** A number that is not negative, or a percentage. */
export function validateIntOrPercent(value: IntOrString, path: FieldPath): FieldError[] {
  return typeof value === "number" ? validateNonNegative(value, path) : problemsOf(path, value, checkPercent(value));
}

/** At most all of them. */
export function validateAtMostAll(value: IntOrString, path: FieldPath): FieldError[] {
  return isPercent(value) && intOrPercent(value) > 100 ? [fieldInvalid(path, value, "must not be greater than 100%")] : [];
}

/** The number, or that in front of the percent sign; 0 where it is neither. */
export function intOrPercent(value: IntOrString): number {
  const text = typeof value === "string" && isPercent(value) ? value.slice(0, -1) : value;
  return typeof text === "number" || /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
}
