/** Users and groups with a meaning to the server. */
import { checkLabelName, checkSubdomainName } from "@drover/machinery";
import type { User } from "./user.ts";

/** May do everything. */
export const mastersGroup = "system:masters";
/** All authenticated users. */
export const authenticatedGroup = "system:authenticated";
/** All other users. */
export const unauthenticatedGroup = "system:unauthenticated";
/** All nodes. */
export const nodesGroup = "system:nodes";

/** The user of requests without credentials. */
export const anonymousUser: User = { name: "system:anonymous", groups: [unauthenticatedGroup] };

/** The user of callers in the same process. */
export const adminUser: User = { name: "system:admin", groups: [mastersGroup] };

/** Returns the user with `group` added. */
export const withGroup = (user: User, group: string): User =>
  user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };

/** Splits "system:serviceaccount:ns:name" into namespace and name; undefined for other users. */
export function splitServiceAccountName(username: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  if (namespace === undefined || name === undefined || checkLabelName(namespace).length > 0 || checkSubdomainName(name).length > 0)
    return undefined;
  return { namespace, name };
}

/** Returns the groups of all service accounts of a namespace. */
export const serviceAccountGroups = (namespace: string): string[] => ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];

/** Returns the node of "system:node:name"; undefined for other users. */
export function nodeOfName(username: string): string | undefined {
  const [, name] = /^system:node:(.+)$/.exec(username) ?? [];
  return name !== undefined && checkSubdomainName(name).length === 0 ? name : undefined;
}
