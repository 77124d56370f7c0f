/**
 * The patches that make an object a controller's and set it free again.
 *
 *     adoptionPatch, releasePatch → strategic, as kube-controller-manager sends them, or merge for kinds that know no strategic patch
 *
 * All of them name the uid of the object, so that the server refuses to touch another one of the same name. A strategic patch changes one
 * reference whatever the others are; a merge patch replaces the list, so it names the version whose list that was as well.
 */
import { newControllerRef } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, KubeObject, OwnerReference } from "@drover/machinery";

/** The metadata of a patch, for the two types that differ in how they say it. */
export interface ReferencePatch {
  readonly strategic: object;
  readonly merge: object;
}

/** Whom a child is bound to: the owner, what it is, and the finalizers its children carry. */
export interface ReferenceOwner {
  readonly owner: DeepReadonly<KubeObject>;
  readonly ownerKind: GroupVersionKind;
  readonly finalizers: readonly string[];
}

/** Makes the owner the controller of the child. A plain reference to the same owner becomes the controlling one. */
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

/** Takes the owner's reference off the child, and the finalizers that came with it. Those of others stay. */
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
