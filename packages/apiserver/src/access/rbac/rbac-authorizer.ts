/**
 * Decides by the stored roles and bindings.
 *
 *     Attributes → RbacObjects.visitGrants → ruleAllows → Decision
 */
import type { Authorizer, NonResourceRule, ResourceRule } from "../authorizer.ts";
import { ruleAllows } from "./rbac-rule.ts";
import type { RbacObjects } from "./rbac-objects.ts";

/**
 * Returns an authorizer. It never denies: what no role allows is left to the next authorizer.
 * @param current - returns the objects at the time of the decision
 */
export function rbacAuthorizer(current: () => Promise<RbacObjects>): Authorizer {
  return {
    authorize: async (attributes) => {
      const objects = await current();
      let allowed: string | undefined;
      const problems: string[] = [];
      objects.visitGrants(attributes.user, attributes.namespace, (grant) => {
        if (grant.rules === undefined) problems.push(grant.missing());
        else if (grant.rules.some((rule) => ruleAllows(rule, attributes))) allowed = `RBAC: allowed by ${grant.describe()}`;
        return allowed !== undefined;
      });
      if (allowed !== undefined) return { decision: "allow", reason: allowed };
      return { decision: "no-opinion", ...(problems.length === 0 ? {} : { reason: `RBAC: ${aggregated(problems)}` }) };
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

/** As Go prints several errors; each once. */
function aggregated(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length === 1 ? (distinct[0] ?? "") : `[${distinct.join(", ")}]`;
}
