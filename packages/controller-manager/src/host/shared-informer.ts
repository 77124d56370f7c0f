/** One cache for each kind, however many controllers look into it. */
import type { Cluster, InformerView } from "@drover/cache";
import type { Kind, KubeObject } from "@drover/machinery";

/**
 * The cluster's informer of a kind, of which `managedFields` are not kept: the same one that `kindSource` watches with
 * `writers: false`. It is held for
 * as long as the cluster runs, so that indexes added to it stay.
 */
export function sharedInformer<T extends KubeObject>(cluster: Cluster, kind: Kind<T>): InformerView<T> {
  return cluster.informers.acquire(kind, { keepManagedFields: false }).informer;
}
