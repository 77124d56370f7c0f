/**
 * Allows everything to the members of a group. kube-apiserver asks this before any other authorizer, so that `system:masters` cannot be
 * locked out.
 */
import type { Authorizer } from "./authorizer.ts";
import type { User } from "./user.ts";

export function privilegedGroup(group: string): Authorizer {
  const isMember = ({ groups }: User): boolean => groups.includes(group);
  return {
    authorize: ({ user }) => Promise.resolve({ decision: isMember(user) ? "allow" : "no-opinion" }),
    rulesFor: (user) =>
      Promise.resolve(
        isMember(user)
          ? {
              resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
              nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
              incomplete: false,
            }
          : { resourceRules: [], nonResourceRules: [], incomplete: false },
      ),
  };
}
