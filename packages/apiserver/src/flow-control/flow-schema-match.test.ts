import type { FlowSchema, PolicyRulesWithSubjects, Subject } from "@drover/api/flowcontrol/v1";
import { requestInfo } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { User } from "../access/user.ts";
import { matchesFlowSchema } from "./flow-schema-match.ts";

const robot: User = { name: "system:serviceaccount:shop:robot", groups: ["system:serviceaccounts", "system:authenticated"] };
const everyone: Subject = { kind: "Group", group: { name: "*" } };
const everything: PolicyRulesWithSubjects = {
  subjects: [everyone],
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};
const schema = (...rules: PolicyRulesWithSubjects[]): FlowSchema => ({
  metadata: { name: "x" },
  spec: { priorityLevelConfiguration: { name: "x" }, rules },
});
const matches = (rules: Partial<PolicyRulesWithSubjects>, line: string, user = robot): boolean => {
  const [method = "", path = ""] = line.split(" ");
  return matchesFlowSchema(schema({ ...everything, ...rules }), user, requestInfo(method, path));
};

describe("matchesFlowSchema", () => {
  it("matches by users, groups and service accounts", () => {
    const bySubject = (subject: Subject): boolean => matches({ subjects: [subject] }, "GET /api/v1/pods");
    expect(bySubject({ kind: "User", user: { name: robot.name } })).toBe(true);
    expect(bySubject({ kind: "User", user: { name: "*" } })).toBe(true);
    expect(bySubject({ kind: "User", user: { name: "alice" } })).toBe(false);
    expect(bySubject({ kind: "Group", group: { name: "system:serviceaccounts" } })).toBe(true);
    expect(bySubject({ kind: "Group", group: { name: "system:masters" } })).toBe(false);
    expect(bySubject({ kind: "ServiceAccount", serviceAccount: { namespace: "shop", name: "*" } })).toBe(true);
    expect(bySubject({ kind: "ServiceAccount", serviceAccount: { namespace: "shop", name: "robot" } })).toBe(true);
    expect(bySubject({ kind: "ServiceAccount", serviceAccount: { namespace: "sho", name: "*" } })).toBe(false);
    expect(bySubject({ kind: "ServiceAccount" })).toBe(false);
  });

  it("matches resources by verb, group, resource with its subresource, and scope", () => {
    const rule = { verbs: ["get", "list"], apiGroups: ["", "apps"], resources: ["pods", "deployments/scale"], namespaces: ["shop"] };
    const asked = (line: string, more = {}): boolean => matches({ resourceRules: [{ ...rule, ...more }] }, line);
    expect(asked("GET /api/v1/namespaces/shop/pods")).toBe(true);
    expect(asked("GET /apis/apps/v1/namespaces/shop/deployments/a/scale")).toBe(true);
    expect(asked("GET /apis/apps/v1/namespaces/shop/deployments/a")).toBe(false);
    expect(asked("POST /api/v1/namespaces/shop/pods")).toBe(false);
    expect(asked("GET /api/v1/namespaces/other/pods")).toBe(false);
    expect(asked("GET /api/v1/pods")).toBe(false);
    expect(asked("GET /api/v1/pods", { clusterScope: true })).toBe(true);
    expect(asked("GET /version")).toBe(true);
  });

  it("matches paths exactly, by their start, and below them", () => {
    const asked = (url: string, path: string): boolean =>
      matches({ nonResourceRules: [{ verbs: ["get"], nonResourceURLs: [url] }] }, `GET ${path}`);
    expect([
      asked("*", "/version"),
      asked("/healthz", "/healthz"),
      asked("/healthz", "/healthz/ping"),
      asked("/healthz/*", "/healthz/ping"),
    ]).toEqual([true, true, true, true]);
    expect([asked("/healthz", "/healthzy"), asked("/healthz/*", "/healthz"), asked("/livez", "/version")]).toEqual([false, false, false]);
    expect(matches({ nonResourceRules: [{ verbs: ["post"], nonResourceURLs: ["*"] }] }, "GET /version")).toBe(false);
  });

  it("does not match without rules", () => {
    expect(matchesFlowSchema(schema(), robot, requestInfo("GET", "/version"))).toBe(false);
    expect(matchesFlowSchema({ metadata: {} }, robot, requestInfo("GET", "/version"))).toBe(false);
  });
});
