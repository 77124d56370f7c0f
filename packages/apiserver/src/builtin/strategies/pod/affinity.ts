/** Validates node affinity, pod affinity and pod anti-affinity. */
import {
  checkLabelName,
  fieldChild,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  validateLabelName,
  validateLabelSelector,
} from "@drover/machinery";
import type { FieldError, FieldPath, LabelSelector } from "@drover/machinery";
import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm } from "@drover/api/core/v1";
import { problemsOf } from "../checked-field.ts";
import { validateNodeSelector, validateNodeSelectorTerm } from "./node-selector.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Validates all three; each is optional. */
export function validateAffinity({ nodeAffinity, podAffinity, podAntiAffinity }: Affinity, path: FieldPath): FieldError[] {
  return [
    ...(nodeAffinity === undefined ? [] : validateNodeAffinity(nodeAffinity, fieldChild(path, "nodeAffinity"))),
    ...(podAffinity === undefined ? [] : validatePodAffinity(podAffinity, fieldChild(path, "podAffinity"))),
    ...(podAntiAffinity === undefined ? [] : validatePodAffinity(podAntiAffinity, fieldChild(path, "podAntiAffinity"))),
  ];
}

/**
 * Validates matchLabelKeys and mismatchLabelKeys. They are already merged into the selector, so a duplicate key was set by the
 * user as well; kube-apiserver does not name its list.
 */
export function validateLabelKeys(
  matchKeys: readonly string[] | undefined,
  mismatchKeys: readonly string[] | undefined,
  selector: LabelSelector | undefined,
  path: FieldPath,
): FieldError[] {
  const match = matchKeys ?? [];
  return [
    ...validateKeyList(match, selector, fieldChild(path, "matchLabelKeys")),
    ...validateKeyList(mismatchKeys ?? [], selector, fieldChild(path, "mismatchLabelKeys")),
    ...validateKeysOnce(match, selector, path),
    ...match.flatMap((key, index) =>
      (mismatchKeys ?? []).includes(key)
        ? [fieldInvalid(fieldIndex(fieldChild(path, "matchLabelKeys"), index), key, "exists in both matchLabelKeys and mismatchLabelKeys")]
        : [],
    ),
  ];
}

function validateNodeAffinity(affinity: NodeAffinity, path: FieldPath): FieldError[] {
  const selector = affinity[required];
  return [
    ...(selector === undefined ? [] : validateNodeSelector(selector, fieldChild(path, required))),
    ...(affinity[preferred] ?? []).flatMap(({ weight, preference }, index) => {
      const termPath = fieldIndex(fieldChild(path, preferred), index);
      return [
        ...validateWeight(weight, termPath),
        ...validateNodeSelectorTerm(preference, fieldChild(termPath, "preference"), { checkValues: false }),
      ];
    }),
  ];
}

function validatePodAffinity(affinity: PodAffinity, path: FieldPath): FieldError[] {
  return [
    ...(affinity[required] ?? []).flatMap((term, index) => validatePodAffinityTerm(term, fieldIndex(fieldChild(path, required), index))),
    ...(affinity[preferred] ?? []).flatMap(({ weight, podAffinityTerm }, index) => {
      const termPath = fieldIndex(fieldChild(path, preferred), index);
      return [...validateWeight(weight, termPath), ...validatePodAffinityTerm(podAffinityTerm, fieldChild(termPath, "podAffinityTerm"))];
    }),
  ];
}

function validateWeight(weight: number, path: FieldPath): FieldError[] {
  return weight <= 0 || weight > 100 ? [fieldInvalid(fieldChild(path, "weight"), weight, "must be in the range 1-100")] : [];
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: FieldPath): FieldError[] {
  const topologyPath = fieldChild(path, "topologyKey");
  return [
    ...validateLabelSelector(term.labelSelector, fieldChild(path, "labelSelector")),
    ...validateLabelSelector(term.namespaceSelector, fieldChild(path, "namespaceSelector")),
    ...(term.namespaces ?? []).flatMap((name) => problemsOf(fieldChild(path, "namespace"), name, checkLabelName(name))),
    ...validateLabelKeys(term.matchLabelKeys, term.mismatchLabelKeys, term.labelSelector, path),
    ...(term.topologyKey === "" ? [fieldRequired(topologyPath, "can not be empty")] : []),
    ...validateLabelName(term.topologyKey, topologyPath),
  ];
}

function validateKeyList(keys: readonly string[], selector: LabelSelector | undefined, path: FieldPath): FieldError[] {
  if (keys.length > 0 && selector === undefined) return [fieldForbidden(path, "must not be specified when labelSelector is not set")];
  return keys.flatMap((key, index) => validateLabelName(key, fieldIndex(path, index)));
}

function validateKeysOnce(keys: readonly string[], selector: LabelSelector | undefined, path: FieldPath): FieldError[] {
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  return (selector?.matchExpressions ?? []).flatMap(({ key }) => {
    const isDouble = seen.has(key);
    seen.add(key);
    return isDouble && keys.includes(key)
      ? [fieldInvalid(fieldIndex(path, keys.lastIndexOf(key)), key, "exists in both matchLabelKeys and labelSelector")]
      : [];
  });
}
