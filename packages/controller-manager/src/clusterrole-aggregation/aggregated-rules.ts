/** The rules of an aggregated ClusterRole: those of all roles that its selectors match. */
import type { ClusterRole, PolicyRule } from "@drover/api/rbac/v1";
import { byText, encodeJson, selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** Whether its rules are those of other roles. */
export const isAggregated = ({ aggregationRule }: DeepReadonly<ClusterRole>): boolean => aggregationRule !== undefined;

/**
 * Returns the rules in the order of the selectors and, within one, of the names of roles; each once. A role does not select itself.
 * Throws for an invalid selector.
 */
export function aggregatedRules(
  { metadata: { name: own }, aggregationRule }: DeepReadonly<ClusterRole>,
  roles: readonly DeepReadonly<ClusterRole>[],
): DeepReadonly<PolicyRule>[] {
  const rules = new Map<string, DeepReadonly<PolicyRule>>();
  for (const labelSelector of aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = selectorFromLabelSelector(labelSelector);
    const selected = roles.filter(({ metadata: { name, labels } }) => name !== own && selector.matches(labels));
    for (const role of selected.toSorted((a, b) => byText(a.metadata.name ?? "", b.metadata.name ?? "")))
      for (const rule of role.rules ?? []) {
        const key = ruleKey(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
  }
  return [...rules.values()];
}

/** Whether two lists of rules are equal; missing and empty are the same. */
export function isSameRules(
  a: readonly DeepReadonly<PolicyRule>[] | null | undefined,
  b: readonly DeepReadonly<PolicyRule>[] | null | undefined,
): boolean {
  const [one, other] = [a ?? [], b ?? []];
  return one.length === other.length && one.every((rule, index) => ruleKey(rule) === ruleKey(other[index] ?? { verbs: [] }));
}

/** The same text for equal rules; missing and empty lists are the same. */
function ruleKey({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: DeepReadonly<PolicyRule>): string {
  return encodeJson([verbs ?? [], apiGroups, resources, resourceNames, nonResourceURLs]);
}
