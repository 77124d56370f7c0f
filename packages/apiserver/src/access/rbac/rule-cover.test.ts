import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ruleAllows } from "./rbac-rule.ts";
import type { Rule } from "./rbac-rule.ts";
import { permissionCount, uncoveredRules } from "./rule-cover.ts";

const pods: Rule = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };

describe("uncoveredRules", () => {
  it("takes rules apart and returns the parts that are not held", () => {
    expect(uncoveredRules([{ ...pods, verbs: ["get"] }], [{ ...pods, resources: ["pods", "secrets"] }])).toEqual([
      { verbs: ["list"], apiGroups: [""], resources: ["pods"] },
      { verbs: ["get"], apiGroups: [""], resources: ["secrets"] },
      { verbs: ["list"], apiGroups: [""], resources: ["secrets"] },
    ]);
  });

  it.each<[string, Rule, Rule, boolean]>([
    ["the same rule", pods, pods, true],
    ["everything", { verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, pods, true],
    ["a wildcard, by all that exists", pods, { ...pods, verbs: ["*"] }, false],
    ["a subresource, by all resources", { ...pods, resources: ["*"] }, { ...pods, resources: ["pods/log"] }, true],
    ["a subresource, by the one of all resources", { ...pods, resources: ["*/log"] }, { ...pods, resources: ["pods/log"] }, true],
    ["a subresource, by its resource", pods, { ...pods, resources: ["pods/log"] }, false],
    ["names, by all names", pods, { ...pods, resourceNames: ["web"] }, true],
    ["names, by more names", { ...pods, resourceNames: ["web", "db"] }, { ...pods, resourceNames: ["web"] }, true],
    ["all names, by some", { ...pods, resourceNames: ["web"] }, pods, false],
    ["a path, by a star", { verbs: ["get"], nonResourceURLs: ["/api/*"] }, { verbs: ["get"], nonResourceURLs: ["/api/v1"] }, true],
    ["a star, by one above", { verbs: ["get"], nonResourceURLs: ["/api/*"] }, { verbs: ["get"], nonResourceURLs: ["/api/v1/*"] }, true],
    ["a path, by resources", { verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, { verbs: ["get"], nonResourceURLs: ["/x"] }, false],
    ["nothing", { verbs: [] }, { verbs: ["get"] }, true],
  ])("decides about %s", (_, held, wanted, isCovered) => {
    expect(uncoveredRules([held], [wanted]).length === 0).toBe(isCovered);
  });

  it("never calls a rule covered that allows a request which the held rules refuse", () => {
    const some = (...values: string[]): fc.Arbitrary<string[]> =>
      fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
    const rule: fc.Arbitrary<Rule> = fc.oneof(
      fc.record({
        verbs: some("get", "list", "*"),
        apiGroups: some("", "apps", "*"),
        resources: some("pods", "pods/log", "*/log", "*"),
        resourceNames: fc.oneof(fc.constant([]), some("a", "b")),
      }),
      fc.record({ verbs: some("get", "*"), nonResourceURLs: some("/a", "/a/b", "/a/*", "*") }),
    );
    const blank = {
      user: { name: "", groups: [] },
      version: "v1",
      namespace: "",
      path: "",
      group: "",
      resource: "",
      subresource: "",
      name: "",
    };
    const asked = fc.oneof(
      fc.record({
        ...Object.fromEntries(Object.entries(blank).map(([key, value]) => [key, fc.constant(value)])),
        isResourceRequest: fc.constant(true),
        verb: fc.constantFrom("get", "list", "watch"),
        group: fc.constantFrom("", "apps", "batch"),
        resource: fc.constantFrom("pods", "jobs"),
        subresource: fc.constantFrom("", "log"),
        name: fc.constantFrom("", "a", "b"),
      }),
      fc
        .record({ verb: fc.constantFrom("get", "post"), path: fc.constantFrom("/a", "/a/b", "/c") })
        .map((given) => ({ ...blank, ...given, isResourceRequest: false })),
    ) as fc.Arbitrary<Parameters<typeof ruleAllows>[1]>;
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), rule, asked, (held, wanted, request) => {
        if (uncoveredRules(held, [wanted]).length > 0 || !ruleAllows(wanted, request)) return;
        // Only together may several rules cover one: each of its parts is in one of them.
        expect(held.some((one) => ruleAllows(one, request))).toBe(true);
      }),
    );
  });
});

describe("permissionCount", () => {
  it("is the number of rules with one verb and one resource, name or path each", () => {
    expect(
      permissionCount([
        { ...pods, resourceNames: ["a", "b", "c"] },
        { verbs: ["get"], nonResourceURLs: ["/a", "/b"] },
      ]),
    ).toBe(8);
    expect(permissionCount([pods])).toBe(uncoveredRules([], [pods]).length);
  });
});
