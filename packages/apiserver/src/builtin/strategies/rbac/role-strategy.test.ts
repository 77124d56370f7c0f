import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { PolicyRule } from "@drover/api/rbac/v1";
import { clusterRoleStrategy, roleStrategy } from "./role-strategy.ts";

const metadata = { name: "a" };
const role = (rule: PolicyRule): string[] => (roleStrategy.validate?.({ metadata, rules: [rule] }) ?? []).map(printFieldError);
const clusterRole = (rule: PolicyRule): string[] =>
  (clusterRoleStrategy.validate?.({ metadata, rules: [rule] }) ?? []).map(printFieldError);

describe("role strategies", () => {
  it("validate resource rules", () => {
    expect(role({ verbs: ["get"], apiGroups: [""], resources: ["pods"] })).toEqual([]);
    expect(role({ verbs: [] })).toEqual([
      "rules[0].verbs: Required value: verbs must contain at least one value",
      "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
      "rules[0].resources: Required value: resource rules must supply at least one resource",
    ]);
  });

  it("allow nonResourceURLs in ClusterRole only, and not with resources", () => {
    expect(clusterRole({ verbs: ["get"], nonResourceURLs: ["/a"] })).toEqual([]);
    expect(role({ verbs: ["get"], nonResourceURLs: ["/a"] })).toEqual([
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
    ]);
    expect(clusterRole({ verbs: ["get"], nonResourceURLs: ["/a"], resources: ["b"] })).toHaveLength(1);
  });

  it("validate aggregation selectors", () => {
    expect((clusterRoleStrategy.validate?.({ metadata, rules: null as never, aggregationRule: {} }) ?? []).map(printFieldError)).toEqual([
      "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
    ]);
  });
});
