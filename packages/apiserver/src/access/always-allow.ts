/** The authorizer that kube-apiserver calls AlwaysAllow: every authenticated user may do everything. */
import type { Authorizer, Decision } from "./authorizer.ts";

const allow: Decision = { decision: "allow" };

/** Allows every request. Without `decide`, so that a copy with another `authorize` does as it says. */
export const alwaysAllow: Authorizer = {
  authorize: () => Promise.resolve(allow),
  rulesFor: () =>
    Promise.resolve({
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      incomplete: false,
    }),
};
