/**
 * Decides by the stored roles and bindings.
 *
 *     Attributes → RbacObjects.visitGrants → ruleAllows → Decision
 */
import type { Attributes, Authorizer, Decision, NonResourceRule, ResourceRule } from "../authorizer.ts";
import { ruleAllows } from "./rbac-rule.ts";
import type { Grant, RbacObjects } from "./rbac-objects.ts";

/**
 * Returns an authorizer. It never denies: what no role allows is left to the next authorizer.
 * @param current - returns the objects at the time of the decision
 * @param now - returns the same without waiting, if that is possible
 */
export function rbacAuthorizer(current: () => Promise<RbacObjects>, now: () => RbacObjects | undefined = () => undefined): Authorizer {
  return {
    authorize: async (attributes) => decisionOf(await current(), attributes),
    decide: (attributes) => {
      const objects = now();
      return objects === undefined ? undefined : decisionOf(objects, attributes);
    },
    rulesFor: async (user, namespace) => {
      const objects = await current();
      const resourceRules: ResourceRule[] = [];
      const nonResourceRules: NonResourceRule[] = [];
      const problems: string[] = [];
      objects.visitGrants(user, namespace, (grant) => {
        if (grant.rules === undefined) problems.push(grant.missing());
        for (const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } of grant.rules ?? []) {
          if (resources.length > 0)
            resourceRules.push({ verbs, apiGroups, resources, ...(resourceNames.length > 0 ? { resourceNames } : {}) });
          if (nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs });
        }
        return false;
      });
      return {
        resourceRules,
        nonResourceRules,
        incomplete: false,
        ...(problems.length === 0 ? {} : { evaluationError: aggregated(problems) }),
      };
    },
  };
}

function decisionOf(objects: RbacObjects, attributes: Attributes): Decision {
  let allowed: Grant | undefined;
  const problems: string[] = [];
  objects.visitGrants(attributes.user, attributes.namespace, (grant) => {
    if (grant.rules === undefined) problems.push(grant.missing());
    else if (grant.rules.some((rule) => ruleAllows(rule, attributes))) allowed = grant;
    return allowed !== undefined;
  });
  if (allowed !== undefined) return allowedBy(allowed);
  return { decision: "no-opinion", ...(problems.length === 0 ? {} : { reason: `RBAC: ${aggregated(problems)}` }) };
}

/** Says why only when it is asked: reviews do, requests do not. */
function allowedBy(grant: Grant): Decision {
  return {
    decision: "allow",
    get reason() {
      return `RBAC: allowed by ${grant.describe()}`;
    },
  };
}

/** As Go prints several errors; each once. */
function aggregated(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length === 1 ? (distinct[0] ?? "") : `[${distinct.join(", ")}]`;
}
