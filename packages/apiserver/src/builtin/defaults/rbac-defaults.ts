/** Defaults of role bindings: API groups of role and subjects. */
import type { ClusterRoleBinding, RoleBinding } from "@drover/api/rbac/v1";
import { elements } from "./elements.ts";

const group = "rbac.authorization.k8s.io";

export function setRoleBindingDefaults(binding: ClusterRoleBinding | RoleBinding): void {
  binding.roleRef.apiGroup ||= group;
  for (const subject of elements(binding.subjects)) if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= group;
}
