import { describe, expect, it } from "vitest";
import type { AuditRule } from "./audit-event.ts";
import { auditRules } from "./audit-rule.ts";
import type { AuditedAttributes } from "./audit-rule.ts";

const pods: AuditedAttributes = {
  user: { name: "alice", groups: ["dev", "system:authenticated"] },
  verb: "get",
  isResourceRequest: true,
  path: "/api/v1/namespaces/shop/pods/web",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "shop",
  name: "web",
};
const path: AuditedAttributes = { ...pods, isResourceRequest: false, path: "/healthz/ping", resource: "", namespace: "", name: "" };

const level = (rule: Partial<AuditRule>, attributes: AuditedAttributes = pods): string =>
  auditRules({ rules: [{ level: "Request", ...rule }] })(attributes).level;

describe("auditRules", () => {
  it("takes the first matching rule, and level None without one", () => {
    const configOf = auditRules({
      rules: [{ level: "None", verbs: ["list"] }, { level: "Metadata", verbs: ["get"] }, { level: "Request" }],
    });
    expect([configOf({ ...pods, verb: "list" }), configOf(pods), configOf({ ...pods, verb: "watch" })].map((each) => each.level)).toEqual([
      "None",
      "Metadata",
      "Request",
    ]);
    expect(level({ verbs: ["create"] })).toBe("None");
  });

  it("unites the omitted stages, and lets a rule decide about managed fields", () => {
    const rules: AuditRule[] = [{ level: "Request", omitStages: ["Panic"], omitManagedFields: false }, { level: "Request" }];
    expect(auditRules({ rules, omitStages: ["RequestReceived"], omitManagedFields: true })(pods)).toEqual({
      level: "Request",
      omitStages: new Set(["RequestReceived", "Panic"]),
      omitManagedFields: false,
    });
    expect(auditRules({ rules: rules.slice(1), omitManagedFields: true })(pods).omitManagedFields).toBe(true);
  });

  it("matches users and groups; a request without a user only rules without both", () => {
    const nobody = { ...pods, user: undefined };
    expect([
      level({ users: ["alice"] }),
      level({ users: ["bob"] }),
      level({ userGroups: ["ops", "dev"] }),
      level({ userGroups: ["ops"] }),
    ]).toEqual(["Request", "None", "Request", "None"]);
    expect([level({}, nobody), level({ users: ["alice"] }, nobody), level({ userGroups: ["dev"] }, nobody)]).toEqual([
      "Request",
      "None",
      "None",
    ]);
  });

  it.each<readonly [Partial<AuditRule>, boolean, boolean]>([
    [{ resources: [{ group: "" }] }, true, true],
    [{ resources: [{}] }, true, true],
    [{ resources: [{ group: "apps" }] }, false, false],
    [{ resources: [{ group: "*", resources: ["pods"] }] }, true, false],
    [{ resources: [{ resources: ["pods/log"] }] }, false, true],
    [{ resources: [{ resources: ["pods/*"] }] }, true, true],
    [{ resources: [{ resources: ["*/log"] }] }, false, true],
    [{ resources: [{ resources: ["*"] }] }, true, true],
    [{ resources: [{ resources: ["pods", "pods/log"], resourceNames: ["web"] }] }, true, true],
    [{ resources: [{ resources: ["pods"], resourceNames: ["db"] }] }, false, false],
    [{ namespaces: ["shop"] }, true, true],
    [{ namespaces: [""] }, false, false],
    [{ namespaces: ["shop"], resources: [{ resources: ["secrets"] }] }, false, false],
    [{ nonResourceURLs: ["*"] }, false, false],
  ])("%j matches the object: %s, and its log: %s", (rule, object, log) => {
    expect([level(rule), level(rule, { ...pods, subresource: "log" })]).toEqual([object, log].map((is) => (is ? "Request" : "None")));
  });

  it.each<readonly [Partial<AuditRule>, boolean]>([
    [{ nonResourceURLs: ["*"] }, true],
    [{ nonResourceURLs: ["/healthz*"] }, true],
    [{ nonResourceURLs: ["/healthz/ping"] }, true],
    [{ nonResourceURLs: ["/healthz"] }, false],
    [{ namespaces: [""] }, false],
    [{ resources: [{ group: "*" }] }, false],
    [{}, true],
  ])("%j matches the path /healthz/ping: %s", (rule, matches) => {
    expect(level(rule, path)).toBe(matches ? "Request" : "None");
  });
});
