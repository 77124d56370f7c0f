/**
 * Roles and bindings, found by subject.
 *
 *     Role, ClusterRole, RoleBinding, ClusterRoleBinding → RbacObjects → Grant
 */
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding, Subject } from "@drover/api/rbac/v1";
import type { DeepReadonly } from "@drover/machinery";
import { quoteGo } from "@drover/machinery";
import type { User } from "../user.ts";
import type { Rule } from "./rbac-rule.ts";
import { describeSubject, keysOfUser, subjectKey } from "./rbac-subject.ts";

interface Binding {
  readonly name: string;
  /** "" for a cluster role binding. */
  readonly namespace: string;
  readonly roleRef: DeepReadonly<RoleBinding["roleRef"]>;
  readonly subjects: readonly DeepReadonly<Subject>[];
}

/** The place of an object; the namespace of cluster roles and their bindings is "". */
export interface RbacObject {
  readonly kind: "Role" | "ClusterRole" | "RoleBinding" | "ClusterRoleBinding";
  readonly namespace: string;
  readonly name: string;
}

/** Guarantees: after `put` and `remove`, `visitGrants` follows from the objects alone, in whatever order they came. */
export class RbacObjects {
  /** By `namespace/name`; cluster roles have an empty namespace. */
  readonly #roles = new Map<string, readonly Rule[]>();
  readonly #bindings = new Map<string, Binding>();
  /** The bindings of a subject, by namespace: those of all users together are many, those of one are few. */
  readonly #bySubject = new Map<string, Map<string, Set<Binding>>>();
  /** A connection has the same user for all requests. */
  readonly #keys = new WeakMap<User, readonly string[]>();

  put(at: RbacObject, object: DeepReadonly<Role | ClusterRole | RoleBinding | ClusterRoleBinding>): void {
    const { kind, namespace, name } = at;
    if (kind === "Role" || kind === "ClusterRole") {
      this.#roles.set(roleKey(namespace, name), (object as DeepReadonly<ClusterRole>).rules ?? []);
      return;
    }
    this.remove(at);
    const { roleRef, subjects = [] } = object as DeepReadonly<RoleBinding>;
    const binding: Binding = { namespace, name, roleRef, subjects };
    this.#bindings.set(roleKey(namespace, name), binding);
    for (const key of keysOf(binding)) {
      const byNamespace = this.#bySubject.get(key) ?? new Map<string, Set<Binding>>();
      this.#bySubject.set(key, byNamespace);
      byNamespace.set(namespace, (byNamespace.get(namespace) ?? new Set()).add(binding));
    }
  }

  remove({ kind, namespace, name }: RbacObject): void {
    if (kind === "Role" || kind === "ClusterRole") {
      this.#roles.delete(roleKey(namespace, name));
      return;
    }
    const binding = this.#bindings.get(roleKey(namespace, name));
    if (binding === undefined) return;
    this.#bindings.delete(roleKey(namespace, name));
    for (const key of keysOf(binding)) {
      const byNamespace = this.#bySubject.get(key);
      const bindings = byNamespace?.get(namespace);
      bindings?.delete(binding);
      if (bindings?.size === 0) byNamespace?.delete(namespace);
      if (byNamespace?.size === 0) this.#bySubject.delete(key);
    }
  }

  clear(): void {
    for (const map of [this.#roles, this.#bindings, this.#bySubject]) map.clear();
  }

  /** Returns the rules of a role; the namespace of a cluster role is "". Undefined if it does not exist. */
  rulesOf(namespace: string, name: string): readonly Rule[] | undefined {
    return this.#roles.get(roleKey(namespace, name));
  }

  /**
   * Calls `visit` with what cluster role bindings grant to a user, then with what role bindings of the namespace do, until it returns
   * true.
   */
  visitGrants(user: User, namespace: string, visit: (grant: Grant) => boolean): void {
    const keys = this.#keys.get(user) ?? keysOfUser(user);
    this.#keys.set(user, keys);
    if (!this.#visit(keys, "", visit) && namespace !== "") this.#visit(keys, namespace, visit);
  }

  #visit(keys: readonly string[], namespace: string, visit: (grant: Grant) => boolean): boolean {
    // A binding may name a user twice.
    const seen = new Set<Binding>();
    for (const key of keys)
      for (const binding of this.#bySubject.get(key)?.get(namespace) ?? []) {
        if (seen.has(binding)) continue;
        seen.add(binding);
        if (visit(new Grant(binding, key, this.#roles.get(roleKey(isOfNamespace(binding) ? namespace : "", binding.roleRef.name)))))
          return true;
      }
    return false;
  }
}

/** A role that a binding grants to a user. */
export class Grant {
  /** Undefined if the role does not exist. */
  readonly rules: readonly Rule[] | undefined;
  readonly #binding: Binding;
  readonly #key: string;

  constructor(binding: Binding, key: string, rules: readonly Rule[] | undefined) {
    this.rules = rules;
    this.#binding = binding;
    this.#key = key;
  }

  get roleName(): string {
    return this.#binding.roleRef.name;
  }

  /** Returns `ClusterRoleBinding "admins" of ClusterRole "cluster-admin" to Group "admins"`. */
  describe(): string {
    const { name, namespace, roleRef, subjects } = this.#binding;
    const subject = subjects.find((one) => subjectKey(one, namespace) === this.#key);
    const what = namespace === "" ? `ClusterRoleBinding ${quoteGo(name)}` : `RoleBinding ${quoteGo(`${name}/${namespace}`)}`;
    return `${what} of ${roleRef.kind} ${quoteGo(roleRef.name)} to ${subject === undefined ? "" : describeSubject(subject, namespace)}`;
  }

  /** Returns `clusterrole.rbac.authorization.k8s.io "x" not found`, for a role that does not exist. */
  missing(): string {
    return `${isOfNamespace(this.#binding) ? "role" : "clusterrole"}.rbac.authorization.k8s.io ${quoteGo(this.#binding.roleRef.name)} not found`;
  }
}

const isOfNamespace = ({ namespace, roleRef }: Binding): boolean => namespace !== "" && roleRef.kind === "Role";

function keysOf({ subjects, namespace }: Binding): ReadonlySet<string> {
  return new Set(subjects.map((subject) => subjectKey(subject, namespace)).filter((key) => key !== undefined));
}

const roleKey = (namespace: string, name: string): string => `${namespace}/${name}`;
