/**
 * Patches that set and remove the controller reference of an object.
 *
 *     adoptionPatch, releasePatch → strategic, as kube-controller-manager sends it, or merge for kinds without strategic patches
 *
 * All patches contain the object's uid, so that the server rejects them for another object of the same name. A
 * strategic patch changes one reference, whatever the others are. A merge patch replaces the list, so it also contains
 * the observed resource version.
 */
import { newControllerRef } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, KubeObject, OwnerReference } from "@drover/machinery";

/** The same change in both patch types. */
export interface ReferencePatch {
  readonly strategic: object;
  readonly merge: object;
}

/** The owner, its kind, and the finalizers that its children carry. */
export interface ReferenceOwner {
  readonly owner: DeepReadonly<KubeObject>;
  readonly ownerKind: GroupVersionKind;
  readonly finalizers: readonly string[];
}

/** Makes the owner the controller of the child. A non-controller reference to the same owner becomes the controller reference. */
export function adoptionPatch(child: DeepReadonly<KubeObject>, { owner, ownerKind, finalizers }: ReferenceOwner): ReferencePatch {
  const { uid = "", ownerReferences = [], finalizers: before = [] } = child.metadata;
  const added = newControllerRef(owner, ownerKind);
  const references = ownerReferences.some((reference) => reference.uid === added.uid)
    ? ownerReferences.map((reference) => (reference.uid === added.uid ? added : reference))
    : [...ownerReferences, added];
  const merged = finalizers.length === 0 ? {} : { finalizers: [...new Set([...before, ...finalizers])] };
  return {
    strategic: { metadata: { ownerReferences: [added], uid, ...(finalizers.length === 0 ? {} : { finalizers }) } },
    merge: { metadata: { ...seenVersion(child), ownerReferences: references, ...merged } },
  };
}

/** Removes the owner's reference and finalizers from the child. References and finalizers of others stay. */
export function releasePatch(child: DeepReadonly<KubeObject>, { owner, finalizers }: ReferenceOwner): ReferencePatch {
  const { uid = "", ownerReferences = [], finalizers: before = [] } = child.metadata;
  const { uid: ownerUid = "" } = owner.metadata;
  const references: readonly DeepReadonly<OwnerReference>[] = ownerReferences.filter((reference) => reference.uid !== ownerUid);
  const left = finalizers.length === 0 ? {} : { finalizers: before.filter((name) => !finalizers.includes(name)) };
  return {
    strategic: {
      metadata: {
        uid,
        ownerReferences: [{ $patch: "delete", uid: ownerUid }],
        ...(finalizers.length === 0 ? {} : { "$deleteFromPrimitiveList/finalizers": finalizers }),
      },
    },
    merge: { metadata: { ...seenVersion(child), ownerReferences: references, ...left } },
  };
}

function seenVersion({ metadata: { uid = "", resourceVersion = "" } }: DeepReadonly<KubeObject>): object {
  return { uid, ...(resourceVersion === "" ? {} : { resourceVersion }) };
}
