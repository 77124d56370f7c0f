import { ClusterRoleBinding, RoleBinding } from "@drover/api/rbac/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("role binding tables", () => {
  it("list users, groups and service accounts separately", () => {
    const subjects = [
      { kind: "User", name: "u" },
      { kind: "ServiceAccount", name: "s", namespace: "n" },
      { kind: "User", name: "v" },
      { kind: "Group", name: "g" },
      { kind: "Robot", name: "r" },
    ];
    expect(printed(RoleBinding, { roleRef: { kind: "Role", name: "r" }, subjects })).toEqual({
      Name: "web",
      Role: "Role/r",
      Age: "5m",
      Users: "u, v",
      Groups: "g",
      ServiceAccounts: "n/s",
    });
    expect(printed(ClusterRoleBinding, { roleRef: { kind: "ClusterRole", name: "r" } })).toEqual({
      Name: "web",
      Role: "ClusterRole/r",
      Age: "5m",
      Users: "",
      Groups: "",
      ServiceAccounts: "",
    });
  });
});
