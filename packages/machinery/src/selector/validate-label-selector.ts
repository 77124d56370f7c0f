/** Validation of a label selector in an object, such as `spec.selector` of a Deployment. */
import { fieldForbidden, fieldInvalid, fieldRequired } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import { fieldChild, fieldIndex } from "../field/field-path.ts";
import type { FieldPath } from "../field/field-path.ts";
import { printGoJson } from "../json/go-json.ts";
import type { DeepReadonly } from "../json/readonly.ts";
import type { LabelSelector, LabelSelectorRequirement } from "./label-selector.ts";
import { checkLabelValue, validateLabelName, validateLabels } from "../validation/label.ts";

/** Exceptions for objects that are already stored that way. */
export interface LabelSelectorRules {
  /**
   * Whether to allow values that no label can have.
   * @default false
   */
  readonly allowInvalidValues?: boolean;
  /**
   * Whether to allow operators unknown to this server.
   * @default false
   */
  readonly allowUnknownOperators?: boolean;
}

/** Returns the errors of a selector; none for an absent one. */
export function validateLabelSelector(
  selector: DeepReadonly<LabelSelector> | undefined,
  path: FieldPath,
  rules: LabelSelectorRules = {},
): FieldError[] {
  const expressions = selector?.matchExpressions ?? [];
  return [
    ...validateLabels(selector?.matchLabels, fieldChild(path, "matchLabels")),
    ...expressions.flatMap((expression, index) =>
      validateLabelSelectorRequirement(expression, fieldIndex(fieldChild(path, "matchExpressions"), index), rules),
    ),
  ];
}

/** Returns the errors of one requirement. */
export function validateLabelSelectorRequirement(
  expression: DeepReadonly<LabelSelectorRequirement>,
  path: FieldPath,
  { allowInvalidValues = false, allowUnknownOperators = false }: LabelSelectorRules = {},
): FieldError[] {
  const { key, operator, values = [] } = expression;
  const valuesPath = fieldChild(path, "values");
  const wrongValues = allowInvalidValues
    ? []
    : values.flatMap((value, index) =>
        checkLabelValue(value).map((problem) => fieldInvalid(fieldIndex(valuesPath, index), value, problem)),
      );
  return [
    ...validateOperator(operator, values.length, path, allowUnknownOperators),
    ...validateLabelName(key, fieldChild(path, "key")),
    ...wrongValues,
  ];
}

function validateOperator(operator: string, count: number, path: FieldPath, allowUnknown: boolean): FieldError[] {
  const valuesPath = fieldChild(path, "values");
  switch (operator) {
    case "In":
    case "NotIn":
      return count === 0 ? [fieldRequired(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'")] : [];
    case "Exists":
    case "DoesNotExist":
      return count > 0 ? [fieldForbidden(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")] : [];
    default:
      return allowUnknown
        ? []
        : [{ ...fieldInvalid(fieldChild(path, "operator"), operator, "not a valid selector operator"), valueText: printGoJson(operator) }];
  }
}
