/** Where built-in resources are kept. Clients see it: the key of an object stands in messages about writes that came too late. */
import type { GroupVersionKind, Kind } from "@drover/machinery";

const root = "/registry/";

/** Resources whose folder is not called after them, by group and resource. */
const special: ReadonlyMap<string, string> = new Map([
  ["/nodes", "minions"],
  ["/services", "services/specs"],
  ["/endpoints", "services/endpoints"],
  ["/replicationcontrollers", "controllers"],
  ["networking.k8s.io/ingresses", "ingress"],
]);

/** Groups that have a server of their own behind the one address, which names them in its keys. */
const ownServers: readonly string[] = ["apiextensions.k8s.io", "apiregistration.k8s.io"];

/**
 * The beginning of the keys of a resource: "/registry/configmaps/". All versions of a resource, and both kinds of
 * events, have the same.
 */
export function storagePrefixOf({ group, plural }: Pick<Kind, "plural"> & Pick<GroupVersionKind, "group">): string {
  const folder = special.get(`${group}/${plural}`) ?? (ownServers.includes(group) ? `${group}/${plural}` : plural);
  return `${root}${folder}/`;
}
