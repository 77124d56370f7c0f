/**
 * Who a claim goes with. Its owners say so, and the garbage collector does it: with the set when that is deleted, with
 * the pod when it is one too
 * many, or with nobody.
 *
 *     policy, claim, pod → hasRightOwners? → rightOwners → the claim is updated
 */
import { StatefulSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { apiVersionOf, newControllerRef } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind, KubeObject, OwnerReference } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { ordinalOf } from "./pod-identity.ts";
import { isInRange } from "./stateful-set-view.ts";
import type { ClaimView, StatefulSetView } from "./stateful-set-view.ts";

type ReferenceView = DeepReadonly<OwnerReference>;
type ObjectView = DeepReadonly<KubeObject>;

/** When claims go. */
interface Retention {
  readonly withSet: boolean;
  readonly whenScaled: boolean;
}

/** A set that is scaled down lets the claims of its surplus pods go. */
export function deletesWhenScaled(set: StatefulSetView): boolean {
  return retentionOf(set).whenScaled;
}

/**
 * Whether the claim says it belongs to a pod of this name that is another one: it goes with that one, and nobody should
 * get it any more.
 */
export function isStaleFor(pod: PodView, { metadata: { ownerReferences = [] } }: ClaimView): boolean {
  return isStale(ownerReferences, pod, Pod);
}

/**
 * Whether something that is neither the set nor the pod controls a claim that the set would let go; then its owners are
 * not ours to say.
 */
export function hasForeignController(claim: ClaimView, set: StatefulSetView, pod: PodView): boolean {
  const { withSet, whenScaled } = retentionOf(set);
  if (!withSet && !whenScaled) return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    if (means(reference, set, StatefulSet)) return reference.uid !== set.metadata.uid;
    if (means(reference, pod, Pod)) return reference.uid !== pod.metadata.uid;
    return reference.controller === true;
  });
}

/** Whether the claim's owners are as the set's policy has them, or are not to be touched because one from before is still among them. */
export function hasRightOwners(claim: ClaimView, set: StatefulSetView, pod: PodView): boolean {
  const { ownerReferences = [] } = claim.metadata;
  if (isStale(ownerReferences, set, StatefulSet) || isStale(ownerReferences, pod, Pod)) return true;
  const [ofSet, ofPod] = [
    ownerReferences.filter(({ uid }) => uid === set.metadata.uid),
    ownerReferences.filter(({ uid }) => uid === pod.metadata.uid),
  ];
  if (hasForeignController(claim, set, pod)) return ofSet.length === 0 && ofPod.length === 0;
  if ([...ofSet, ...ofPod].some(({ controller }) => controller !== true)) return false;
  const wanted = wantedOwners(set, pod);
  return ofSet.length > 0 === wanted.set && ofPod.length > 0 === wanted.pod;
}

/** The claim's owners as they should be: those of others stay. */
export function rightOwners(claim: ClaimView, set: StatefulSetView, pod: PodView): readonly ReferenceView[] {
  const others = (claim.metadata.ownerReferences ?? []).filter(
    (reference) => !means(reference, set, StatefulSet) && !means(reference, pod, Pod),
  );
  if (hasForeignController(claim, set, pod)) return others;
  const wanted = wantedOwners(set, pod);
  return [...others, ...(wanted.set ? [newControllerRef(set, StatefulSet)] : []), ...(wanted.pod ? [newControllerRef(pod, Pod)] : [])];
}

/** Never both: a claim of a surplus pod goes with that pod, whatever becomes of the set. */
function wantedOwners(set: StatefulSetView, pod: PodView): { readonly set: boolean; readonly pod: boolean } {
  const { withSet, whenScaled } = retentionOf(set);
  const isSurplus = !isInRange(set, ordinalOf(pod) ?? -1);
  return { set: withSet && !(whenScaled && isSurplus), pod: whenScaled && isSurplus };
}

/** Anything but Delete retains. */
function retentionOf({ spec }: StatefulSetView): Retention {
  const { whenDeleted, whenScaled } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return { withSet: whenDeleted === "Delete", whenScaled: whenScaled === "Delete" };
}

/** By name; whether it is the very one, the uid says. */
function means({ apiVersion, kind, name }: ReferenceView, object: ObjectView, gvk: GroupVersionKind): boolean {
  return apiVersion === apiVersionOf(gvk) && kind === gvk.kind && name === object.metadata.name;
}

function isStale(references: readonly ReferenceView[], object: ObjectView, gvk: GroupVersionKind): boolean {
  const reference = references.find((each) => means(each, object, gvk));
  return reference !== undefined && reference.uid !== object.metadata.uid;
}
