/** The strategies of Role and ClusterRole: a rule is about resources or about paths, never both. */
import type { ClusterRole, PolicyRule, Role } from "@drover/api/rbac/v1";
import { fieldInvalid, fieldRequired, validateLabelSelector } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, LabelSelectorRules } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";

/** The strategy of Role. */
export const roleStrategy: Strategy<Role> = {
  validate: ({ rules }) => validateRules(rules, { namespaced: true }),
  validateUpdate: ({ rules }) => validateRules(rules, { namespaced: true }),
};

/** The strategy of ClusterRole. */
export const clusterRoleStrategy: Strategy<ClusterRole> = {
  validate: (role) => validateClusterRole(role),
  validateUpdate: (role, old) => {
    const selectors = old.aggregationRule?.clusterRoleSelectors ?? [];
    return validateClusterRole(role, { allowInvalidValues: selectors.some((selector) => validateLabelSelector(selector, "").length > 0) });
  },
};

function validateRules(
  rules: readonly DeepReadonly<PolicyRule>[] | null | undefined,
  options: { readonly namespaced: boolean },
): FieldError[] {
  return (rules ?? []).flatMap((rule, index) => validateRule(rule, `rules[${index}]`, options));
}

function validateRule(
  { verbs, nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] }: DeepReadonly<PolicyRule>,
  path: FieldPath,
  { namespaced }: { readonly namespaced: boolean },
): FieldError[] {
  const errors = (verbs ?? []).length === 0 ? [fieldRequired(`${path}.verbs`, "verbs must contain at least one value")] : [];
  if (nonResourceURLs.length > 0) {
    const invalid = (detail: string): FieldError => fieldInvalid(`${path}.nonResourceURLs`, nonResourceURLs, detail);
    if (namespaced) errors.push(invalid("namespaced rules cannot apply to non-resource URLs"));
    if (apiGroups.length + resources.length + resourceNames.length > 0)
      errors.push(invalid("rules cannot apply to both regular resources and non-resource URLs"));
    return errors;
  }
  if (apiGroups.length === 0) errors.push(fieldRequired(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  if (resources.length === 0) errors.push(fieldRequired(`${path}.resources`, "resource rules must supply at least one resource"));
  return errors;
}

function validateClusterRole({ rules, aggregationRule }: DeepReadonly<ClusterRole>, selectorRules: LabelSelectorRules = {}): FieldError[] {
  const errors = validateRules(rules, { namespaced: false });
  if (aggregationRule === undefined) return errors;
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) errors.push(fieldRequired(path, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
  return [
    ...errors,
    ...selectors.flatMap((selector, index) => {
      const wrong = validateLabelSelector(selector, `${path}[${index}]`, selectorRules);
      // kube-apiserver reports an invalid selector once more, as null.
      return wrong.length === 0 ? [] : [...wrong, fieldInvalid(`${path}[${index}]`, null, "invalid label selector.")];
    }),
  ];
}
