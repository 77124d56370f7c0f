/** Validates conditions of the common shape. */
import { byteLength, compareTimes, fieldDuplicate, fieldInvalid, fieldRequired, fieldTooLong, validateLabelName } from "@drover/machinery";
import type { Condition, DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import { unsupportedName } from "./named-text.ts";

const reasonRule =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
const reasonPattern = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonText = `${reasonRule} (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonPattern}')`;

/** Each type once, with status, time and reason. */
export function validateConditions(conditions: readonly DeepReadonly<Condition>[], path: FieldPath): FieldError[] {
  const types = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const errors = validateCondition(condition, `${path}[${index}]`);
    if (types.has(condition.type)) errors.unshift(fieldDuplicate(`${path}[${index}].type`, condition.type));
    types.add(condition.type);
    return errors;
  });
}

function validateCondition(
  { type, status, observedGeneration = 0, lastTransitionTime, reason, message }: DeepReadonly<Condition>,
  path: FieldPath,
): FieldError[] {
  const statuses = ["False", "True", "Unknown"];
  const errors = validateLabelName(type, `${path}.type`);
  if (!statuses.includes(status)) errors.push(unsupportedName(`${path}.status`, status, statuses));
  if (observedGeneration < 0)
    errors.push(fieldInvalid(`${path}.observedGeneration`, observedGeneration, "must be greater than or equal to zero"));
  const isTimed = typeof lastTransitionTime === "string" && compareTimes(lastTransitionTime, "0001-01-01T00:00:00Z") > 0;
  if (!isTimed) errors.push(fieldRequired(`${path}.lastTransitionTime`));
  if (reason === "") errors.push(fieldRequired(`${path}.reason`));
  else {
    if (!new RegExp(`^${reasonPattern}$`).test(reason)) errors.push(fieldInvalid(`${path}.reason`, reason, reasonText));
    if (byteLength(reason) > 1024) errors.push(fieldTooLong(`${path}.reason`, 1024));
  }
  return byteLength(message) > 32768 ? [...errors, fieldTooLong(`${path}.message`, 32768)] : errors;
}
