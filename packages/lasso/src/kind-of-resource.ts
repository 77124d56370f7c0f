/** Builds a kind descriptor from the arguments of Lasso's factories. */
import type { GroupVersionResource, Kind, KubeObject } from "@drover/machinery";

/** Returns the descriptor, without short names, categories and subresources. */
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
