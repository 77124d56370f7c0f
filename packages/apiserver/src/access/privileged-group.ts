/**
 * Allows everything to the members of a group. kube-apiserver asks this before any other authorizer, so that `system:masters` cannot be
 * locked out.
 */
import type { Attributes, Authorizer, Decision } from "./authorizer.ts";
import type { User } from "./user.ts";

export function privilegedGroup(group: string): Authorizer {
  const isMember = ({ groups }: User): boolean => groups.includes(group);
  const decide = ({ user }: Attributes): Decision => ({ decision: isMember(user) ? "allow" : "no-opinion" });
  return {
    authorize: (attributes) => Promise.resolve(decide(attributes)),
    decide,
    // kube-apiserver lists no rules for this authorizer in rules reviews: those of `system:masters` come from its ClusterRoleBinding.
    rulesFor: () => Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false }),
  };
}
