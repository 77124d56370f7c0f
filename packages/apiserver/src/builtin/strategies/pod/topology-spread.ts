/** Validates topology spread constraints. */
import { fieldChild, fieldDuplicate, fieldIndex, fieldInvalid, fieldRequired, validateLabelSelector } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { TopologySpreadConstraint } from "@drover/api/core/v1";
import { validateOptionalChoice } from "../checked-field.ts";
import { validateLabelKeys } from "./affinity.ts";

const nodePolicies: readonly string[] = ["Honor", "Ignore"];

/** Validates each, and that no two have the same key and action. */
export function validateTopologySpread(constraints: readonly TopologySpreadConstraint[] | undefined, path: FieldPath): FieldError[] {
  return (constraints ?? []).flatMap((constraint, index, all) => {
    const at = fieldIndex(path, index);
    const { topologyKey, whenUnsatisfiable, labelSelector } = constraint;
    const isDouble = all
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    return [
      ...validatePositive(constraint.maxSkew, fieldChild(at, "maxSkew")),
      ...(topologyKey === "" ? [fieldRequired(fieldChild(at, "topologyKey"), "can not be empty")] : []),
      ...validateOptionalChoice(whenUnsatisfiable, fieldChild(at, "whenUnsatisfiable"), ["DoNotSchedule", "ScheduleAnyway"]),
      ...(isDouble ? [fieldDuplicate(fieldChild(at, "{topologyKey, whenUnsatisfiable}"), `{${topologyKey}, ${whenUnsatisfiable}}`)] : []),
      ...validateMinDomains(constraint, fieldChild(at, "minDomains")),
      ...validateOptionalChoice(constraint.nodeAffinityPolicy, fieldChild(at, "nodeAffinityPolicy"), nodePolicies),
      ...validateOptionalChoice(constraint.nodeTaintsPolicy, fieldChild(at, "nodeTaintsPolicy"), nodePolicies),
      ...validateLabelKeys(constraint.matchLabelKeys, undefined, labelSelector, at),
      ...validateLabelSelector(labelSelector, fieldChild(at, "labelSelector")),
    ];
  });
}

function validateMinDomains({ minDomains, whenUnsatisfiable }: TopologySpreadConstraint, path: FieldPath): FieldError[] {
  if (minDomains === undefined) return [];
  const errors = validatePositive(minDomains, path);
  if (whenUnsatisfiable !== "DoNotSchedule")
    errors.push(fieldInvalid(path, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`));
  return errors;
}

function validatePositive(value: number, path: FieldPath): FieldError[] {
  return value <= 0 ? [fieldInvalid(path, value, "must be greater than zero")] : [];
}
