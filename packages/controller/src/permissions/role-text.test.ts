import { parseYamlDocuments } from "@drover/yaml";
import { describe, expect, it } from "vitest";
import { printRoles, roleSubject } from "./role-text.ts";

describe("printRoles", () => {
  it("prints a ClusterRole for all namespaces and a Role per namespace, with bindings", () => {
    const text = printRoles(
      [
        { group: "coordination.k8s.io", resource: "leases", verbs: ["update", "get"], namespace: "shop" },
        { group: "apps", resource: "deployments", verbs: ["list", "watch"] },
        { group: "apps", resource: "deployments", subresource: "status", verbs: ["patch"] },
        { group: "apps", resource: "replicasets", verbs: ["watch", "list"] },
        { group: "", resource: "pods", verbs: ["list"] },
        { group: "", resource: "pods", verbs: ["watch"] },
      ],
      { name: "web", subject: roleSubject("system:serviceaccount:shop:web-sa") },
    );
    expect(text).toBe(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: web
rules:
- apiGroups:
  - apps
  resources:
  - deployments
  - replicasets
  verbs:
  - list
  - watch
- apiGroups:
  - apps
  resources:
  - deployments/status
  verbs:
  - patch
- apiGroups:
  - ""
  resources:
  - pods
  verbs:
  - list
  - watch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: web
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: web
subjects:
- kind: ServiceAccount
  name: web-sa
  namespace: shop
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: web
  namespace: shop
rules:
- apiGroups:
  - coordination.k8s.io
  resources:
  - leases
  verbs:
  - get
  - update
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: web
  namespace: shop
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: web
subjects:
- kind: ServiceAccount
  name: web-sa
  namespace: shop
`);
    expect(parseYamlDocuments(text)).toHaveLength(4);
  });

  it("binds a user that is not a service account by name", () => {
    expect(roleSubject("jane")).toEqual({ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "jane" });
    expect(roleSubject("system:serviceaccount:shop")).toMatchObject({ kind: "User" });
  });
});
