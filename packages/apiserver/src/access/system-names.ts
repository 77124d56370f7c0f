/** Users and groups that the server itself knows by name. */
import { checkLabelName, checkSubdomainName } from "@drover/machinery";
import type { User } from "./user.ts";

/** The group that may do everything. */
export const mastersGroup = "system:masters";
/** Everybody who said who they are. */
export const authenticatedGroup = "system:authenticated";
/** Everybody else. */
export const unauthenticatedGroup = "system:unauthenticated";
/** All nodes. */
export const nodesGroup = "system:nodes";

/** Who asks without saying who it is. */
export const anonymousUser: User = { name: "system:anonymous", groups: [unauthenticatedGroup] };

/** Who made the server and calls it as a function. */
export const adminUser: User = { name: "system:admin", groups: [mastersGroup] };

/** The user with `group` among its groups, at the end if it is new. */
export const withGroup = (user: User, group: string): User =>
  user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };

/** Namespace and name behind "system:serviceaccount:ns:name"; undefined when it is the name of somebody else. */
export function splitServiceAccountName(username: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  if (namespace === undefined || name === undefined || checkLabelName(namespace).length > 0 || checkSubdomainName(name).length > 0)
    return undefined;
  return { namespace, name };
}

/** The groups that every service account of a namespace is in. */
export const serviceAccountGroups = (namespace: string): string[] => ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];

/** The node behind "system:node:name"; undefined when it is the name of somebody else. */
export function nodeOfName(username: string): string | undefined {
  const [, name] = /^system:node:(.+)$/.exec(username) ?? [];
  return name !== undefined && checkSubdomainName(name).length === 0 ? name : undefined;
}
