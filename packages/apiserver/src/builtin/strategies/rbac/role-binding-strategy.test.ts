import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { RoleRef, Subject } from "@drover/api/rbac/v1";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./role-binding-strategy.ts";

const metadata = { name: "a" };
const apiGroup = "rbac.authorization.k8s.io";
const roleRef: RoleRef = { apiGroup, kind: "ClusterRole", name: "view" };
const inNamespace = (...subjects: Subject[]): string[] =>
  (roleBindingStrategy.validate?.({ metadata, roleRef, subjects }) ?? []).map(printFieldError);
const everywhere = (...subjects: Subject[]): string[] =>
  (clusterRoleBindingStrategy.validate?.({ metadata, roleRef, subjects }) ?? []).map(printFieldError);

describe("role binding strategies", () => {
  it("validate API groups of subjects", () => {
    expect(inNamespace({ kind: "User", name: "u", apiGroup }, { kind: "ServiceAccount", name: "s" })).toEqual([]);
    expect(inNamespace({ kind: "User", name: "u" }, { kind: "ServiceAccount", name: "s", apiGroup })).toEqual([
      'subjects[0].apiGroup: Unsupported value: "": supported values: "rbac.authorization.k8s.io"',
      'subjects[1].apiGroup: Unsupported value: "rbac.authorization.k8s.io": supported values: ""',
    ]);
  });

  it("require the namespace of a ServiceAccount in ClusterRoleBinding", () => {
    expect(everywhere({ kind: "ServiceAccount", name: "s" })).toEqual(["subjects[0].namespace: Required value"]);
  });

  it("validate roleRef", () => {
    const namespaced = { metadata, roleRef: { ...roleRef, kind: "Role" } };
    expect(roleBindingStrategy.validate?.(namespaced)).toEqual([]);
    expect((clusterRoleBindingStrategy.validate?.(namespaced) ?? []).map(printFieldError)).toEqual([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ]);
  });

  it("keep roleRef immutable", () => {
    expect(
      (roleBindingStrategy.validateUpdate?.({ metadata, roleRef: { ...roleRef, name: "edit" } }, { metadata, roleRef }) ?? []).map(
        printFieldError,
      ),
    ).toEqual([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef',
    ]);
  });
});
