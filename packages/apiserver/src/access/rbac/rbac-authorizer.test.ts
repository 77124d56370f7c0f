import type { Subject } from "@drover/api/rbac/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attributes, Authorizer } from "../authorizer.ts";
import { rbacAuthorizer } from "./rbac-authorizer.ts";
import { RbacObjects } from "./rbac-objects.ts";
import type { RbacObject } from "./rbac-objects.ts";
import type { Rule } from "./rbac-rule.ts";

const readPods: Rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
const at = (kind: RbacObject["kind"], name: string, namespace = ""): RbacObject => ({ kind, name, namespace });
const user = (name: string, ...groups: readonly string[]): Attributes["user"] => ({ name, groups });
const asked = (who: Attributes["user"], namespace = "shop"): Attributes => ({
  user: who,
  verb: "get",
  isResourceRequest: true,
  path: "",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace,
  name: "web",
});
const bound = (roleRef: { readonly kind: string; readonly name: string }, ...subjects: readonly Partial<Subject>[]): object => ({
  metadata: {},
  roleRef: { apiGroup: "rbac.authorization.k8s.io", ...roleRef },
  subjects,
});
const stage = (
  ...objects: readonly (readonly [RbacObject, object])[]
): { readonly objects: RbacObjects; readonly authorizer: Authorizer } => {
  const all = new RbacObjects();
  for (const [place, object] of objects) all.put(place, object as never);
  return { objects: all, authorizer: rbacAuthorizer(() => Promise.resolve(all)) };
};
const reader = [at("ClusterRole", "reader"), { rules: [readPods] }] as const;
const toReader = { kind: "ClusterRole", name: "reader" };

describe("rbacAuthorizer", () => {
  it("allows what a cluster role binding grants, in every namespace and at the cluster scope, and says why", async () => {
    const { authorizer } = stage(reader, [at("ClusterRoleBinding", "all"), bound(toReader, { kind: "Group", name: "dev" })]);
    const reason = 'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to Group "dev"';
    expect(await authorizer.authorize(asked(user("alice", "dev")))).toEqual({ decision: "allow", reason });
    expect(await authorizer.authorize(asked(user("alice", "dev"), ""))).toEqual({ decision: "allow", reason });
    expect(await authorizer.authorize(asked(user("bob")))).toEqual({ decision: "no-opinion" });
  });

  it("allows what a role binding grants in its namespace only", async () => {
    const { authorizer } = stage(
      reader,
      [at("Role", "own", "shop"), { rules: [readPods] }],
      [at("RoleBinding", "a", "shop"), bound(toReader, { kind: "User", name: "alice" })],
      [at("RoleBinding", "b", "shop"), bound({ kind: "Role", name: "own" }, { kind: "User", name: "bob" })],
    );
    expect(await authorizer.authorize(asked(user("alice")))).toEqual({
      decision: "allow",
      reason: 'RBAC: allowed by RoleBinding "a/shop" of ClusterRole "reader" to User "alice"',
    });
    expect((await authorizer.authorize(asked(user("bob")))).reason).toBe(
      'RBAC: allowed by RoleBinding "b/shop" of Role "own" to User "bob"',
    );
    for (const namespace of ["", "other"])
      expect((await authorizer.authorize(asked(user("alice"), namespace))).decision).toBe("no-opinion");
  });

  it("finds service accounts in the namespace of the subject, or else of the binding", async () => {
    const { authorizer } = stage(
      reader,
      [at("RoleBinding", "a", "shop"), bound(toReader, { kind: "ServiceAccount", name: "web" })],
      [
        at("ClusterRoleBinding", "b"),
        bound(toReader, { kind: "ServiceAccount", name: "db", namespace: "data" }, { kind: "ServiceAccount", name: "no" }),
      ],
    );
    const reasonOf = async (name: string): Promise<string | undefined> =>
      (await authorizer.authorize(asked(user(`system:serviceaccount:${name}`)))).reason;
    expect(await reasonOf("shop:web")).toBe('RBAC: allowed by RoleBinding "a/shop" of ClusterRole "reader" to ServiceAccount "web/shop"');
    expect(await reasonOf("data:db")).toBe('RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to ServiceAccount "db/data"');
    for (const name of ["data:web", "shop:db", "shop:no", "data:no"]) expect(await reasonOf(name)).toBeUndefined();
  });

  it("names the roles that do not exist when nothing allows a request", async () => {
    const alice = { kind: "User", name: "alice" };
    const { authorizer } = stage(
      [at("ClusterRoleBinding", "a"), bound({ kind: "ClusterRole", name: "x" }, alice)],
      [at("RoleBinding", "b", "shop"), bound({ kind: "Role", name: "y" }, alice)],
    );
    expect(await authorizer.authorize(asked(user("alice")))).toEqual({
      decision: "no-opinion",
      reason: 'RBAC: [clusterrole.rbac.authorization.k8s.io "x" not found, role.rbac.authorization.k8s.io "y" not found]',
    });
    expect((await authorizer.authorize(asked(user("alice"), ""))).reason).toBe('RBAC: clusterrole.rbac.authorization.k8s.io "x" not found');
    expect((await authorizer.rulesFor(user("alice"), "shop")).evaluationError).toContain("not found, ");
  });

  it("lists the rules of a user", async () => {
    const paths = { verbs: ["get"], nonResourceURLs: ["/healthz"] };
    const { authorizer } = stage(
      [at("ClusterRole", "reader"), { rules: [{ ...readPods, resourceNames: ["web"] }, paths] }],
      [at("ClusterRoleBinding", "all"), bound(toReader, { kind: "Group", name: "dev" })],
    );
    expect(await authorizer.rulesFor(user("alice", "dev"), "shop")).toEqual({
      resourceRules: [{ ...readPods, resourceNames: ["web"] }],
      nonResourceRules: [paths],
      incomplete: false,
    });
  });

  it("follows from the objects alone, whatever changes came before", async () => {
    const name = fc.constantFrom("a", "b");
    const namespace = fc.constantFrom("", "shop", "data");
    const subject = fc.record({ kind: fc.constantFrom("User", "Group", "ServiceAccount"), name, namespace: fc.constantFrom("", "shop") });
    const change = fc.record({
      kind: fc.constantFrom("Role" as const, "ClusterRole" as const, "RoleBinding" as const, "ClusterRoleBinding" as const),
      name,
      namespace,
      isRemoved: fc.boolean(),
      rules: fc.array(fc.constantFrom(readPods, { verbs: ["*"], apiGroups: ["apps"], resources: ["*"] }), { maxLength: 2 }),
      ref: fc.record({ kind: fc.constantFrom("Role", "ClusterRole"), name }),
      subjects: fc.array(subject, { maxLength: 3 }),
    });
    const users = ["a", "b", "system:serviceaccount:shop:a"].flatMap((who) => [user(who), user(who, "a", "b")]);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const lasting = new Map<string, readonly [RbacObject, object]>();
        const { objects, authorizer } = stage();
        for (const { kind, name: called, namespace: where, isRemoved, rules, ref, subjects } of changes) {
          const place = at(kind, called, kind.startsWith("Cluster") ? "" : where === "" ? "shop" : where);
          const object = kind.endsWith("Binding") ? bound(ref, ...subjects) : { rules };
          const key = JSON.stringify(place);
          lasting.delete(key);
          if (isRemoved) objects.remove(place);
          else {
            objects.put(place, object as never);
            lasting.set(key, [place, object]);
          }
        }
        const fresh = stage(...lasting.values()).authorizer;
        for (const who of users)
          for (const where of ["", "shop", "data"]) {
            const [one, other] = [await authorizer.authorize(asked(who, where)), await fresh.authorize(asked(who, where))];
            expect(one.decision).toBe(other.decision);
          }
      }),
    );
  });
});
