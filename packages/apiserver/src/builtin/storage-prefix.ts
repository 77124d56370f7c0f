/** Storage keys of built-in resources. Clients see them: messages about conflicting writes contain the key. */
import type { GroupVersionKind, Kind } from "@drover/machinery";

const root = "/registry/";

/** Resources whose prefix differs from their name, by group and resource. */
const special: ReadonlyMap<string, string> = new Map([
  ["/nodes", "minions"],
  ["/services", "services/specs"],
  ["/endpoints", "services/endpoints"],
  ["/replicationcontrollers", "controllers"],
  ["networking.k8s.io/ingresses", "ingress"],
]);

/** Groups served by separate API servers behind the same address, whose keys contain the group. */
const ownServers: readonly string[] = ["apiextensions.k8s.io", "apiregistration.k8s.io"];

/** Whether a kind is served by a separate API server. kube-apiserver stores such objects as JSON, all others as protobuf. */
export const isOfOwnServer = ({ group }: Pick<GroupVersionKind, "group">): boolean => ownServers.includes(group);

/**
 * Returns the key prefix of a resource, such as "/registry/configmaps/". All versions of a resource, and both kinds of events,
 * share it.
 */
export function storagePrefixOf({ group, plural }: Pick<Kind, "plural"> & Pick<GroupVersionKind, "group">): string {
  const folder = special.get(`${group}/${plural}`) ?? (isOfOwnServer({ group }) ? `${group}/${plural}` : plural);
  return `${root}${folder}/`;
}
