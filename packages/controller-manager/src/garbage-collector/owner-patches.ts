/**
 * The patches of the garbage collector, as kube-controller-manager writes them: strategic merge patches that carry the uid, so that
 * the server refuses them for another object of the same name; for kinds without strategic merge, equivalent JSON merge patches on
 * a known resource version.
 */
import type { Patch } from "@drover/client";
import type { DeepReadonly, KubeObject, ObjectMeta, OwnerReference } from "@drover/machinery";

export type MetadataPatch = Patch<Pick<KubeObject, "metadata">>;
type Owner = DeepReadonly<OwnerReference>;

/** Removes these owner references and no others; missing ones do no harm. */
export function dropOwnersPatch(uid: string, owners: readonly string[]): MetadataPatch {
  return strategic({ metadata: { uid, ownerReferences: owners.map((owner) => ({ $patch: "delete", uid: owner })) } });
}

/** The same as a JSON merge patch on the current object. */
export function dropOwnersMergePatch(
  { resourceVersion, ownerReferences = [] }: DeepReadonly<ObjectMeta>,
  owners: readonly string[],
): MetadataPatch {
  return ownersPatch(
    resourceVersion,
    ownerReferences.filter(({ uid }) => !owners.includes(uid)),
  );
}

/** Clears `blockOwnerDeletion`; writes only references that block. */
export function unblockOwnersPatch(uid: string, owners: readonly Owner[]): MetadataPatch {
  return strategic({
    metadata: { uid, ownerReferences: owners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(unblocked) },
  });
}

/** The same as a JSON merge patch on the current object. */
export function unblockOwnersMergePatch({ resourceVersion, ownerReferences = [] }: DeepReadonly<ObjectMeta>): MetadataPatch {
  return ownersPatch(
    resourceVersion,
    ownerReferences.map((owner) => (owner.blockOwnerDeletion === true ? unblocked(owner) : owner)),
  );
}

/** Removes one finalizer, from this resource version only. */
export function dropFinalizerPatch({ resourceVersion, finalizers = [] }: DeepReadonly<ObjectMeta>, finalizer: string): MetadataPatch {
  const left = finalizers.filter((name) => name !== finalizer);
  return merge({ metadata: { resourceVersion, finalizers: left.length === 0 ? null : left } });
}

const unblocked = (owner: Owner): Owner => ({ ...owner, blockOwnerDeletion: false });

const ownersPatch = (resourceVersion: string | undefined, owners: readonly Owner[]): MetadataPatch =>
  merge({ metadata: { resourceVersion, ownerReferences: owners.length === 0 ? null : owners } });

// Patch types describe whole objects and cannot express directives or versions.
const strategic = (body: object): MetadataPatch => ({ type: "strategic", body }) as MetadataPatch;
const merge = (body: object): MetadataPatch => ({ type: "merge", body });
