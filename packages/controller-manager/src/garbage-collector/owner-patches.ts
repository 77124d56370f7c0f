/**
 * The patches of the garbage collector, as kube-controller-manager writes them: strategic ones, which name the uid of the object and so are
 * refused for another one of the same name, and for kinds that know no strategic merge the same as a merge patch on a known version.
 */
import type { Patch } from "@drover/client";
import type { DeepReadonly, KubeObject, ObjectMeta, OwnerReference } from "@drover/machinery";

export type MetadataPatch = Patch<Pick<KubeObject, "metadata">>;
type Owner = DeepReadonly<OwnerReference>;

/** Takes these owners away from an object, and no others; those it does not have do not matter. */
export function dropOwnersPatch(uid: string, owners: readonly string[]): MetadataPatch {
  return strategic({ metadata: { uid, ownerReferences: owners.map((owner) => ({ $patch: "delete", uid: owner })) } });
}

/** The same on what is known of the object. */
export function dropOwnersMergePatch(
  { resourceVersion, ownerReferences = [] }: DeepReadonly<ObjectMeta>,
  owners: readonly string[],
): MetadataPatch {
  return ownersPatch(
    resourceVersion,
    ownerReferences.filter(({ uid }) => !owners.includes(uid)),
  );
}

/** Lets no owner wait for this object any more: only references that block are written. */
export function unblockOwnersPatch(uid: string, owners: readonly Owner[]): MetadataPatch {
  return strategic({
    metadata: { uid, ownerReferences: owners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(unblocked) },
  });
}

/** The same on what is known of the object. */
export function unblockOwnersMergePatch({ resourceVersion, ownerReferences = [] }: DeepReadonly<ObjectMeta>): MetadataPatch {
  return ownersPatch(
    resourceVersion,
    ownerReferences.map((owner) => (owner.blockOwnerDeletion === true ? unblocked(owner) : owner)),
  );
}

/** Takes one finalizer away, from this version of the object and no other. */
export function dropFinalizerPatch({ resourceVersion, finalizers = [] }: DeepReadonly<ObjectMeta>, finalizer: string): MetadataPatch {
  const left = finalizers.filter((name) => name !== finalizer);
  return merge({ metadata: { resourceVersion, finalizers: left.length === 0 ? null : left } });
}

const unblocked = (owner: Owner): Owner => ({ ...owner, blockOwnerDeletion: false });

const ownersPatch = (resourceVersion: string | undefined, owners: readonly Owner[]): MetadataPatch =>
  merge({ metadata: { resourceVersion, ownerReferences: owners.length === 0 ? null : owners } });

// The types of patches are those of whole objects; directives and versions are what they cannot say.
const strategic = (body: object): MetadataPatch => ({ type: "strategic", body }) as MetadataPatch;
const merge = (body: object): MetadataPatch => ({ type: "merge", body });
