/** One informer per kind, shared by all controllers. */
import type { Cluster, InformerView } from "@drover/cache";
import type { Kind, KubeObject } from "@drover/machinery";

/**
 * Returns the cluster's informer of a kind, without `managedFields`: the same one that `kindSource` uses with `writers: false`. It
 * is never released, so added indexes stay.
 */
export function sharedInformer<T extends KubeObject>(cluster: Cluster, kind: Kind<T>): InformerView<T> {
  return cluster.informers.acquire(kind, { keepManagedFields: false }).informer;
}
