import type { ClusterRole, ClusterRoleBinding, PolicyRule } from "@drover/api/rbac/v1";
import { describe, expect, it } from "vitest";
import { reconciledBinding, reconciledRole } from "./reconciled-policy.ts";

const annotation = "rbac.authorization.kubernetes.io/autoupdate";
const metadata = { name: "x", labels: { a: "1" }, annotations: { [annotation]: "true" } };
const rule = (...verbs: string[]): PolicyRule => ({ verbs, apiGroups: [""], resources: ["pods"] });
const role: ClusterRole = { metadata, rules: [rule("get", "list")] };
const alice = { kind: "User", name: "alice" };
const bob = { kind: "User", name: "bob" };
const binding: ClusterRoleBinding = {
  metadata,
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "x" },
  subjects: [alice],
};

describe("reconciledRole", () => {
  it("leaves a role alone that permits as much", () => {
    for (const rules of [[rule("get", "list")], [rule("list"), rule("get")], [rule("*")], [rule("get", "list", "watch")]])
      expect(reconciledRole({ metadata, rules }, role).kind).toBe("unchanged");
  });

  it("adds what is missing and keeps what is there", () => {
    expect(reconciledRole({ metadata, rules: [rule("get", "watch")] }, role)).toEqual({
      kind: "changed",
      object: { metadata, rules: [rule("get", "watch"), rule("list")] },
    });
    expect(reconciledRole({ metadata }, role)).toMatchObject({ object: { rules: [rule("get"), rule("list")] } });
  });

  it("adds labels and annotations, without a change of their values", () => {
    expect(reconciledRole({ ...role, metadata: { name: "x", labels: { a: "2", b: "3" } } }, role)).toMatchObject({
      kind: "changed",
      object: { metadata: { labels: { a: "2", b: "3" }, annotations: { [annotation]: "true" } } },
    });
  });

  it("changes nothing of an object that says so", () => {
    const own = { ...metadata, annotations: { [annotation]: "false" } };
    expect(reconciledRole({ metadata: own }, role).kind).toBe("unchanged");
    expect(reconciledBinding({ ...binding, metadata: own, subjects: [] }, binding).kind).toBe("unchanged");
  });

  it("completes the selectors of an aggregated role, and leaves its rules to the controller", () => {
    const selector = { matchLabels: { to: "x" } };
    const wanted: ClusterRole = { metadata, aggregationRule: { clusterRoleSelectors: [selector] } };
    expect(reconciledRole({ metadata, rules: [rule("get")] }, wanted)).toEqual({
      kind: "changed",
      object: { metadata, rules: [rule("get")], aggregationRule: { clusterRoleSelectors: [selector] } },
    });
    expect(reconciledRole({ ...wanted, rules: [rule("get")] }, wanted).kind).toBe("unchanged");
  });
});

describe("reconciledBinding", () => {
  it("adds missing subjects and keeps others", () => {
    expect(reconciledBinding({ ...binding, subjects: [bob] }, binding)).toEqual({
      kind: "changed",
      object: { ...binding, subjects: [bob, alice] },
    });
    expect(reconciledBinding({ ...binding, subjects: [bob, alice] }, binding).kind).toBe("unchanged");
  });

  it("is created anew when it binds another role", () => {
    expect(reconciledBinding({ ...binding, roleRef: { ...binding.roleRef, name: "y" } }, binding).kind).toBe("recreated");
  });
});
