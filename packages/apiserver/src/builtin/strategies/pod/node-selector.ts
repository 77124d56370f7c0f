/** Validates node selectors by labels or by name. */
import {
  checkLabelValue,
  checkSubdomainName,
  fieldChild,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  validateLabelName,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from "@drover/api/core/v1";
import { problemsOf } from "../checked-field.ts";
import { invalidName } from "../named-text.ts";

/** Terms are ORed. */
export function validateNodeSelector({ nodeSelectorTerms }: NodeSelector, path: FieldPath): FieldError[] {
  const termsPath = fieldChild(path, "nodeSelectorTerms");
  const terms = nodeSelectorTerms ?? [];
  if (terms.length === 0) return [fieldRequired(termsPath, "must have at least one node selector term")];
  return terms.flatMap((term, index) => validateNodeSelectorTerm(term, fieldIndex(termsPath, index), { checkValues: true }));
}

/** Requirements of a term are ANDed. For preferences, values that no label can have only cause warnings. */
export function validateNodeSelectorTerm(
  { matchExpressions, matchFields }: NodeSelectorTerm,
  path: FieldPath,
  { checkValues }: { readonly checkValues: boolean },
): FieldError[] {
  return [
    ...(matchExpressions ?? []).flatMap((requirement, index) =>
      validateLabelRequirement(requirement, fieldIndex(fieldChild(path, "matchExpressions"), index), checkValues),
    ),
    ...(matchFields ?? []).flatMap((requirement, index) =>
      validateFieldRequirement(requirement, fieldIndex(fieldChild(path, "matchFields"), index)),
    ),
  ];
}

function validateLabelRequirement({ key, operator, values }: NodeSelectorRequirement, path: FieldPath, checkValues: boolean): FieldError[] {
  const valuesPath = fieldChild(path, "values");
  const given = values ?? [];
  return [
    ...validateOperator(operator, given.length, path),
    ...validateLabelName(key, fieldChild(path, "key")),
    ...(checkValues ? given.flatMap((value, index) => problemsOf(fieldIndex(valuesPath, index), value, checkLabelValue(value))) : []),
  ];
}

function validateOperator(operator: string, count: number, path: FieldPath): FieldError[] {
  const valuesPath = fieldChild(path, "values");
  switch (operator) {
    case "In":
    case "NotIn":
      return count === 0 ? [fieldRequired(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'")] : [];
    case "Exists":
    case "DoesNotExist":
      return count > 0 ? [fieldForbidden(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")] : [];
    case "Gt":
    case "Lt":
      return count === 1 ? [] : [fieldRequired(valuesPath, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidName(fieldChild(path, "operator"), operator, "not a valid selector operator")];
  }
}

/** The only field is metadata.name. */
function validateFieldRequirement({ key, operator, values }: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const given = values ?? [];
  const valuesPath = fieldChild(path, "values");
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn")
    errors.push(invalidName(fieldChild(path, "operator"), operator, "not a valid selector operator"));
  else if (given.length !== 1)
    errors.push(fieldRequired(valuesPath, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  if (key !== "metadata.name") return [...errors, fieldInvalid(fieldChild(path, "key"), key, "not a valid field selector key")];
  return [...errors, ...given.flatMap((value, index) => problemsOf(fieldIndex(valuesPath, index), value, checkSubdomainName(value)))];
}
