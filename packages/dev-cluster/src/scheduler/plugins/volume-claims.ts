/** Volume claims of a pod: no node fits while one is missing or unbound. */
import type { ClusterView } from "../cluster-view.ts";
import type { PlacedPod } from "../placed-pod.ts";

/** Returns why no node fits, in kube-scheduler's words; undefined when all claims exist and are bound. */
export function claimsMissing({ pod, namespace }: PlacedPod, { claim }: ClusterView): string | undefined {
  const wanted = (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [{ claimName: persistentVolumeClaim.claimName, isOwn: false }];
    return ephemeral === undefined ? [] : [{ claimName: `${pod.metadata.name ?? ""}-${name}`, isOwn: true }];
  });
  const claims = wanted.map(({ claimName, isOwn }) => ({ claimName, isOwn, found: claim(namespace, claimName) }));
  for (const { claimName, isOwn, found } of claims) {
    const name = JSON.stringify(claimName);
    if (found === undefined)
      return isOwn
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${name}`
        : `persistentvolumeclaim ${name} not found`;
    if (found.status?.phase === "Lost")
      return `persistentvolumeclaim ${name} bound to non-existent persistentvolume ${JSON.stringify(found.spec?.volumeName ?? "")}`;
    if (found.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim ${name} is being deleted`;
    const owner = found.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (isOwn && owner?.uid !== pod.metadata.uid)
      return `PVC ${namespace}/${claimName} was not created for pod ${namespace}/${pod.metadata.name ?? ""} (pod is not owner)`;
  }
  return claims.some(({ found }) => found?.status?.phase !== "Bound") ? "pod has unbound immediate PersistentVolumeClaims" : undefined;
}
