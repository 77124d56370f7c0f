/**
 * Matches requests with the constraints of policies and bindings.
 *
 *     MatchResources → compileMatch → PolicyMatch;   PolicyMatch, request → matchPolicy → the matched resource
 */
import type { MatchResources } from "@drover/api/admissionregistration/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { Registry } from "../../registry/registry.ts";
import type { Resource } from "../../registry/resource.ts";
import type { AdmissionRequest } from "../admission.ts";
import { matchTarget } from "../match/match-target.ts";
import { matchedResource } from "../match/rule-match.ts";
import type { AdmissionRule } from "../match/rule-match.ts";
import { matchesObjectSelector, requestSelectors } from "../match/selector-match.ts";
import type { NamespaceMatch, RequestSelectors } from "../match/selector-match.ts";

/** Compiled constraints. */
export interface PolicyMatch {
  readonly rules: readonly AdmissionRule[];
  readonly excluded: readonly AdmissionRule[];
  readonly matchPolicy: string | undefined;
  readonly selectors: RequestSelectors;
}

/** Compiles constraints. Throws a `SelectorError` for a selector that validation would have refused. */
export function compileMatch(match: DeepReadonly<MatchResources>): PolicyMatch {
  const { resourceRules = [], excludeResourceRules = [], matchPolicy: policy } = match;
  return { rules: resourceRules, excluded: excludeResourceRules, matchPolicy: policy, selectors: requestSelectors(match) };
}

export interface MatchServices {
  readonly registry: Pick<Registry, "resources">;
  readonly namespaces: NamespaceMatch;
}

/** Returns the resource that matches: that of the request, or an equivalent one. Without rules every resource matches. */
export async function matchPolicy(
  { rules, excluded, matchPolicy: policy, selectors }: PolicyMatch,
  request: AdmissionRequest,
  { registry, namespaces }: MatchServices,
): Promise<Resource | undefined> {
  const target = matchTarget(request);
  if (excluded.length > 0 && matchedResource(excluded, policy, target, registry) !== undefined) return undefined;
  const matched = rules.length === 0 ? request.resource : matchedResource(rules, policy, target, registry);
  if (matched === undefined || !matchesObjectSelector(selectors.object, request)) return undefined;
  return (await namespaces.matches(selectors.namespace, target, request.object)) ? matched : undefined;
}

const ownResources: ReadonlySet<string> = new Set([
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
]);
const reviews: ReadonlySet<string> = new Set([
  "authentication.k8s.io/selfsubjectreviews",
  "authentication.k8s.io/tokenreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authorization.k8s.io/subjectaccessreviews",
]);

/** Whether no policy sees writes of this resource: policies themselves, and reviews, without which the cluster would not work. */
export const isExemptFromPolicies = ({ kind: { group, plural } }: Resource): boolean =>
  (group === "admissionregistration.k8s.io" && ownResources.has(plural)) || reviews.has(`${group}/${plural}`);
