/** Compares what two sets of rules permit, as kube-apiserver does before it lets a user grant something. */
import type { Rule } from "./rbac-rule.ts";

/**
 * Returns what `wanted` permits and `held` does not, as rules with one verb of one resource or path each. A wildcard is covered by a
 * wildcard only, not by all values that exist.
 */
export function uncoveredRules(held: readonly Rule[], wanted: readonly Rule[]): Rule[] {
  return wanted.flatMap((rule) => [...singleRules(rule)].filter((single) => !held.some((one) => covers(one, single))));
}

/** Returns the number of rules that {@link uncoveredRules} compares: a short rule may permit a great many combinations. */
export function permissionCount(rules: readonly Rule[]): number {
  let count = 0;
  for (const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } of rules)
    count += (verbs ?? []).length * (apiGroups.length * resources.length * Math.max(1, resourceNames.length) + nonResourceURLs.length);
  return count;
}

/** The order decides about the order of verbs in messages. */
function* singleRules({ verbs: all, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): Generator<Rule> {
  // Null in a stored object.
  const verbs = all ?? [];
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) {
        const rule: Rule = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (resourceNames.length === 0) yield rule;
        for (const name of resourceNames) yield { ...rule, resourceNames: [name] };
      }
  for (const url of nonResourceURLs) for (const verb of verbs) yield { verbs: [verb], nonResourceURLs: [url] };
}

function covers(held: Rule, single: Rule): boolean {
  const { resourceNames: heldNames = [] } = held;
  const { resourceNames: names = [] } = single;
  return (
    hasAll(held.verbs, single.verbs) &&
    hasAll(held.apiGroups, single.apiGroups) &&
    (single.resources ?? []).every((resource) => coversResource(held.resources, resource)) &&
    (heldNames.length === 0 || (names.length > 0 && names.every((name) => heldNames.includes(name)))) &&
    (single.nonResourceURLs ?? []).every((url) => coversUrl(held.nonResourceURLs, url))
  );
}

function hasAll(held: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean {
  return held?.includes("*") === true || (wanted ?? []).every((one) => held?.includes(one) === true);
}

/** "*" covers "pods/log", and so does the log of "*"; "pods" does not. */
function coversResource(held: readonly string[] | undefined, resource: string): boolean {
  if (held === undefined) return false;
  const slash = resource.indexOf("/");
  return held.includes("*") || held.includes(resource) || (slash !== -1 && held.includes(`*${resource.slice(slash)}`));
}

function coversUrl(held: readonly string[] | undefined, url: string): boolean {
  return held?.some((one) => one === url || (one.endsWith("*") && url.startsWith(one.replace(/\*+$/, "")))) ?? false;
}
