/** Matches requests with the rules of webhooks and policies. */
import type { NamedRuleWithOperations } from "@drover/api/admissionregistration/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { Registry } from "../../registry/registry.ts";
import type { Resource } from "../../registry/resource.ts";
import { isNamespaces } from "./match-target.ts";
import type { MatchTarget } from "./match-target.ts";

/** A rule of a webhook, or of a policy, which may also name objects. */
export type AdmissionRule = DeepReadonly<NamedRuleWithOperations>;

/**
 * Returns the resource that a rule matches: that of the request if any rule matches it, otherwise the first equivalent one, by the order
 * of rules, if `matchPolicy` is "Equivalent". Undefined if no rule matches.
 */
export function matchedResource(
  rules: readonly AdmissionRule[],
  matchPolicy: string | undefined,
  target: MatchTarget,
  registry: Pick<Registry, "resources">,
): Resource | undefined {
  if (rules.some((rule) => matchesRule(rule, target))) return target.resource;
  if (matchPolicy !== "Equivalent" || rules.length === 0) return undefined;
  const others = equivalentResources(target, registry);
  for (const rule of rules) {
    const found = others.find((resource) => matchesRule(rule, { ...target, resource }));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the other resources that show the same stored objects, and have the subresource. */
function equivalentResources({ resource, subresource }: MatchTarget, { resources }: Pick<Registry, "resources">): readonly Resource[] {
  return resources.filter(
    (other) =>
      other !== resource &&
      other.storagePrefix === resource.storagePrefix &&
      (subresource === "" || Object.hasOwn(other.kind.subresources, subresource)),
  );
}

export function matchesRule(rule: AdmissionRule, { operation, resource, subresource, namespace, name }: MatchTarget): boolean {
  const { group, version, plural } = resource.kind;
  return (
    matchesScope(rule.scope ?? "*", resource, namespace) &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, group) &&
    includes(rule.apiVersions, version) &&
    (rule.resources ?? []).some((each) => matchesResource(each, plural, subresource)) &&
    ((rule.resourceNames ?? []).length === 0 || (rule.resourceNames ?? []).includes(name))
  );
}

const includes = (items: readonly string[] = [], wanted: string): boolean => items.includes("*") || items.includes(wanted);

function matchesScope(scope: string, resource: Resource, namespace: string): boolean {
  if (scope === "*") return true;
  const isCluster = isNamespaces(resource) || namespace === "";
  return scope === "Cluster" ? isCluster : scope === "Namespaced" && !isCluster;
}

/** "pods" matches pods alone, "pods/*" also their subresources, "*" every object without its subresources. */
function matchesResource(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf("/");
  const [wanted, part] = slash < 0 ? [text, ""] : [text.slice(0, slash), text.slice(slash + 1)];
  return (wanted === "*" || wanted === plural) && (part === "*" || part === subresource);
}
