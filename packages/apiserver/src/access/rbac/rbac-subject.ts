/** The subjects of bindings: whom they name, and how kube-apiserver writes them. */
import type { Subject } from "@drover/api/rbac/v1";
import type { DeepReadonly } from "@drover/machinery";
import { quoteGo } from "@drover/machinery";
import type { User } from "../user.ts";

/**
 * Returns a text that is the same for a subject and for the users it names; undefined for a subject that names no user.
 * @param namespace - of the binding, in which a service account is looked for if the subject names none; "" for a cluster role binding
 */
export function subjectKey({ kind, name, namespace: own = "" }: DeepReadonly<Subject>, namespace: string): string | undefined {
  if (kind === "User") return userKey(name);
  if (kind === "Group") return groupKey(name);
  const where = own === "" ? namespace : own;
  return kind === "ServiceAccount" && where !== "" ? userKey(`system:serviceaccount:${where}:${name}`) : undefined;
}

/** Returns the keys of all subjects that name a user. */
export function keysOfUser({ name, groups }: User): readonly string[] {
  return [userKey(name), ...groups.map(groupKey)];
}

const userKey = (name: string): string => `user ${name}`;
const groupKey = (name: string): string => `group ${name}`;

/** Returns `User "alice"`, or `ServiceAccount "default/shop"`: the name comes first. */
export function describeSubject({ kind, name, namespace: own = "" }: DeepReadonly<Subject>, namespace: string): string {
  if (kind !== "ServiceAccount") return `${kind} ${quoteGo(name)}`;
  return `${kind} ${quoteGo(`${name}/${own === "" ? namespace : own}`)}`;
}
