/**
 * Prints the roles and bindings that grant a set of needs, as YAML for `kubectl apply -f -`.
 *
 *     PermissionNeed[] → rulesOf → Role, ClusterRole, their bindings → text
 */
import { printYaml } from "@drover/yaml";
import type { PermissionNeed } from "./permission-need.ts";

/** Subject of a role binding. */
export type RoleSubject =
  | { readonly kind: "ServiceAccount"; readonly name: string; readonly namespace: string }
  | { readonly kind: "User"; readonly apiGroup: "rbac.authorization.k8s.io"; readonly name: string };

/** Options of `printRoles`. */
export interface RoleTextOptions {
  /** Name of the roles and bindings. */
  readonly name: string;
  readonly subject: RoleSubject;
}

/** Returns the subject of a user name: "system:serviceaccount:shop:web" is a service account. */
export function roleSubject(username: string): RoleSubject {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username);
  const [, namespace, name] = account ?? [];
  return namespace === undefined || name === undefined
    ? { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: username }
    : { kind: "ServiceAccount", name, namespace };
}

const everywhere = "";

/** Returns one ClusterRole for needs in all namespaces and one Role per namespace, each with its binding. */
export function printRoles(needs: readonly PermissionNeed[], { name, subject }: RoleTextOptions): string {
  const namespaces = [...new Set(needs.map(({ namespace = everywhere }) => namespace))].toSorted();
  const documents = namespaces.flatMap((place) => {
    const [prefix, metadata] = place === everywhere ? ["Cluster", { name }] : ["", { name, namespace: place }];
    const kind = `${prefix}Role`;
    return [
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind,
        metadata,
        rules: rulesOf(needs.filter(({ namespace = everywhere }) => namespace === place)),
      },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
        subjects: [subject],
      },
    ];
  });
  return documents.map(printYaml).join("---\n");
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Groups needs into the fewest rules: one per API group, set of verbs and name of an object. */
function rulesOf(needs: readonly PermissionNeed[]): readonly Rule[] {
  const verbsOf = new Map<
    string,
    { readonly group: string; readonly resource: string; readonly name: string | undefined; readonly verbs: Set<string> }
  >();
  for (const { group, resource, subresource, name, verbs } of needs) {
    const full = subresource === undefined ? resource : `${resource}/${subresource}`;
    const key = JSON.stringify([group, full, name]);
    const known = verbsOf.get(key) ?? { group, resource: full, name, verbs: new Set<string>() };
    verbsOf.set(key, known);
    for (const verb of verbs) known.verbs.add(verb);
  }
  const rules = new Map<
    string,
    { readonly group: string; readonly resources: string[]; readonly name: string | undefined; readonly verbs: readonly string[] }
  >();
  for (const { group, resource, name, verbs } of verbsOf.values()) {
    const sorted = [...verbs].toSorted();
    const key = JSON.stringify([group, name, sorted]);
    const known = rules.get(key) ?? { group, resources: [], name, verbs: sorted };
    rules.set(key, known);
    known.resources.push(resource);
  }
  return [...rules.values()].map(({ group, resources, name, verbs }) => ({
    apiGroups: [group],
    resources: resources.toSorted(),
    ...(name === undefined ? {} : { resourceNames: [name] }),
    verbs,
  }));
}
