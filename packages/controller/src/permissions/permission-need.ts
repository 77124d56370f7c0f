/** Permissions that a part of the program needs, as data: sources and controllers declare them, the check before the start reads them. */
import type { Kind } from "@drover/machinery";

/** Verbs on one resource that a part of the program needs. */
export interface PermissionNeed {
  /** API group; "" for the core group. */
  readonly group: string;
  /** Plural resource name as in paths: "deployments". */
  readonly resource: string;
  /** "list", "watch", "create", …; "*" for all of them. */
  readonly verbs: readonly string[];
  /** Namespace that the need is limited to. @default all namespaces, or a cluster-scoped kind */
  readonly namespace?: string;
  /** Name of the only object that the need is for, as in `resourceNames` of a rule. @default all objects */
  readonly name?: string;
  /** "status", "scale". @default the object itself */
  readonly subresource?: string;
  /** Name of the cluster, if the sources of one controller watch several. @default the cluster of the controller or source */
  readonly cluster?: string;
}

/** Returns the need for verbs on a kind: `needOf(Deployment, ["patch"], { subresource: "status" })`. */
export function needOf(
  kind: Pick<Kind, "group" | "plural">,
  verbs: readonly string[],
  where: Pick<PermissionNeed, "namespace" | "name" | "subresource" | "cluster"> = {},
): PermissionNeed {
  return { group: kind.group, resource: kind.plural, verbs, ...where };
}

/** Permissions for leader election with a lease. */
export const leaseNeed = (namespace: string): PermissionNeed => ({
  group: "coordination.k8s.io",
  resource: "leases",
  verbs: ["get", "create", "update"],
  namespace,
});

/** Further permissions for leader election with `coordinated`. */
export const leaseCandidateNeed = (namespace: string): PermissionNeed => ({
  group: "coordination.k8s.io",
  resource: "leasecandidates",
  verbs: ["get", "create", "update", "delete"],
  namespace,
});

/** Permissions for sharing the work among replicas with leases. */
export const shardsNeed = (namespace: string): PermissionNeed => ({
  ...leaseNeed(namespace),
  verbs: ["get", "list", "create", "update", "delete"],
});

/** Permissions for recording events on objects in any namespace. */
export const eventNeed: PermissionNeed = { group: "events.k8s.io", resource: "events", verbs: ["create", "patch"] };
