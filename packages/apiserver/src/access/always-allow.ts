/** An authorizer for servers that everybody who gets in may use: what the real server calls AlwaysAllow. */
import type { Authorizer } from "./authorizer.ts";

/** Allows everything. */
export const alwaysAllow: Authorizer = {
  authorize: () => Promise.resolve({ decision: "allow" }),
  rulesFor: () =>
    Promise.resolve({
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      incomplete: false,
    }),
};
