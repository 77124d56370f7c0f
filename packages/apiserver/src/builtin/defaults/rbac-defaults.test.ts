import type { RoleBinding } from "@drover/api/rbac/v1";
import { describe, expect, it } from "vitest";
import { setRoleBindingDefaults } from "./rbac-defaults.ts";

describe("a role binding", () => {
  it("binds roles of its own group to users and groups of it, and to service accounts of the core one", () => {
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
