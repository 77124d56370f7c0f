/** A descriptor of a kind from the parts that Lasso's factories are given. */
import type { GroupVersionResource, Kind, KubeObject } from "@drover/machinery";

/** Returns the descriptor; short names, categories and subresources are not known. */
export function kindOfResource<T extends KubeObject>(
  { group, version, resource }: GroupVersionResource,
  kind: string,
  namespaced: boolean,
): Kind<T> {
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural: resource,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    scope: namespaced ? "Namespaced" : "Cluster",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    subresources: {},
  };
}
