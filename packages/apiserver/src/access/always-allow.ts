/** The authorizer that kube-apiserver calls AlwaysAllow: every authenticated user may do everything. */
import type { Authorizer } from "./authorizer.ts";

/** Allows every request. */
export const alwaysAllow: Authorizer = {
  authorize: () => Promise.resolve({ decision: "allow" }),
  rulesFor: () =>
    Promise.resolve({
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      incomplete: false,
    }),
};
