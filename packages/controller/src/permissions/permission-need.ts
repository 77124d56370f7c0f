/**
 * What a part of the program must be allowed to do at the server, as data: sources and controllers say it, the check
 * before the start asks for it.
 */
import type { Kind } from "@drover/machinery";

export interface PermissionNeed {
  /** The API group; "" for the core. */
  readonly group: string;
  /** The lower-case word in paths: "deployments". */
  readonly resource: string;
  /** "list", "watch", "create", …; "*" for all of them. */
  readonly verbs: readonly string[];
  /** Only there. @default in all namespaces, or for a kind without namespaces */
  readonly namespace?: string;
  /** "status", "scale". @default the objects themselves */
  readonly subresource?: string;
  /** The name of the cluster, where sources of one controller watch several. @default the cluster of whoever needs it */
  readonly cluster?: string;
}

/** The need for some verbs on a kind: `needOf(Deployment, ["patch"], { subresource: "status" })`. */
export function needOf(
  kind: Pick<Kind, "group" | "plural">,
  verbs: readonly string[],
  where: Pick<PermissionNeed, "namespace" | "subresource" | "cluster"> = {},
): PermissionNeed {
  return { group: kind.group, resource: kind.plural, verbs, ...where };
}

/** What standing for a lease needs. */
export const leaseNeed = (namespace: string): PermissionNeed => ({
  group: "coordination.k8s.io",
  resource: "leases",
  verbs: ["get", "create", "update"],
  namespace,
});

/** What recording events needs, wherever the objects are that they are about. */
export const eventNeed: PermissionNeed = { group: "events.k8s.io", resource: "events", verbs: ["create", "patch"] };
