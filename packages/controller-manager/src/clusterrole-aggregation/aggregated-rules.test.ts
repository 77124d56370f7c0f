import type { ClusterRole, PolicyRule } from "@drover/api/rbac/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggregatedRules, isSameRules } from "./aggregated-rules.ts";

const rule = (resource: string, ...verbs: string[]): PolicyRule => ({ verbs, apiGroups: [""], resources: [resource] });
const role = (name: string, labels: Record<string, string>, ...rules: PolicyRule[]): ClusterRole => ({ metadata: { name, labels }, rules });
const admin: ClusterRole = {
  metadata: { name: "admin", labels: { to: "admin" } },
  rules: [rule("own", "get")],
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: "edit" } }, { matchLabels: { to: "admin" } }] },
};

describe("aggregatedRules", () => {
  it("follows the selectors, then the names, and has each rule once", () => {
    const roles = [
      role("b", { to: "admin" }, rule("pods", "get"), rule("jobs", "get")),
      role("a", { to: "admin" }, rule("nodes", "get")),
      role("z", { to: "edit" }, rule("jobs", "get")),
      role("other", { to: "view" }, rule("secrets", "get")),
      admin,
    ];
    expect(aggregatedRules(admin, roles)).toEqual([rule("jobs", "get"), rule("nodes", "get"), rule("pods", "get")]);
  });

  it("has no rules if nothing matches", () => {
    expect(aggregatedRules(admin, [admin])).toEqual([]);
    expect(aggregatedRules({ metadata: { name: "x" }, aggregationRule: {} }, [role("a", {}, rule("pods", "get"))])).toEqual([]);
  });

  it("accepts a role without rules", () => {
    expect(aggregatedRules(admin, [{ metadata: { name: "a", labels: { to: "edit" } }, rules: null as never }])).toEqual([]);
  });

  it("does not depend on the order of the roles", () => {
    const some = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 2 });
    const verbs = fc.constantFrom("get", "list");
    fc.assert(
      fc.property(some, fc.array(verbs, { minLength: 5, maxLength: 5 }), (names, given) => {
        const roles = names.map((name, index) => role(name, { to: index % 2 === 0 ? "edit" : "admin" }, rule("pods", given[index] ?? "")));
        expect(aggregatedRules(admin, roles.toReversed())).toEqual(aggregatedRules(admin, roles));
      }),
    );
  });
});

describe("isSameRules", () => {
  it("compares rules in order, and takes missing for empty", () => {
    const [one, other] = [rule("pods", "get"), rule("jobs", "get")];
    expect(isSameRules([one, other], [one, { ...other, resourceNames: [] }])).toBe(true);
    expect(isSameRules([], undefined)).toBe(true);
    expect(isSameRules([], null)).toBe(true);
    expect(isSameRules([one, other], [other, one])).toBe(false);
    expect(isSameRules([one], [one, other])).toBe(false);
    expect(isSameRules([one], [rule("pods", "list")])).toBe(false);
  });
});
