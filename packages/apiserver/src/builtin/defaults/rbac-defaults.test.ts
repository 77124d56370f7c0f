import type { RoleBinding } from "@drover/api/rbac/v1";
import { describe, expect, it } from "vitest";
import { setRoleBindingDefaults } from "./rbac-defaults.ts";

describe("defaults of role bindings", () => {
  it("set the API group of the role, users and groups, and none for service accounts", () => {
    const binding: RoleBinding = {
      metadata: {},
      roleRef: { apiGroup: "", kind: "Role", name: "r" },
      subjects: [
        { kind: "User", name: "u" },
        { kind: "Group", name: "g", apiGroup: "x" },
        { kind: "ServiceAccount", name: "s" },
        { kind: "Other", name: "o" },
      ],
    };
    setRoleBindingDefaults(binding);
    expect(binding.roleRef.apiGroup).toBe("rbac.authorization.k8s.io");
    expect(binding.subjects?.map(({ apiGroup }) => apiGroup)).toEqual(["rbac.authorization.k8s.io", "x", undefined, undefined]);
  });
});
