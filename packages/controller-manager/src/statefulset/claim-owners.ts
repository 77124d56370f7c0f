/**
 * Owners of a claim, through which the garbage collector deletes it: with the set, with a surplus pod, or never.
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

/** When to delete claims. */
interface Retention {
  readonly withSet: boolean;
  readonly whenScaled: boolean;
}

/** Whether scaling down deletes the claims of surplus pods. */
export function deletesWhenScaled(set: StatefulSetView): boolean {
  return retentionOf(set).whenScaled;
}

/** Whether the claim belongs to an earlier pod of the same name: it will be deleted with that pod, and no other should use it. */
export function isStaleFor(pod: PodView, { metadata: { ownerReferences = [] } }: ClaimView): boolean {
  return isStale(ownerReferences, pod, Pod);
}

/** Whether another controller owns a claim that the policy would delete; then its owners are left alone. */
export function hasForeignController(claim: ClaimView, set: StatefulSetView, pod: PodView): boolean {
  const { withSet, whenScaled } = retentionOf(set);
  if (!withSet && !whenScaled) return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    if (means(reference, set, StatefulSet)) return reference.uid !== set.metadata.uid;
    if (means(reference, pod, Pod)) return reference.uid !== pod.metadata.uid;
    return reference.controller === true;
  });
}

/** Whether the claim's owners follow the policy, or must not be touched because an earlier object is still among them. */
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

/** Returns the claim's desired owners; references to others stay. */
export function rightOwners(claim: ClaimView, set: StatefulSetView, pod: PodView): readonly ReferenceView[] {
  const others = (claim.metadata.ownerReferences ?? []).filter(
    (reference) => !means(reference, set, StatefulSet) && !means(reference, pod, Pod),
  );
  if (hasForeignController(claim, set, pod)) return others;
  const wanted = wantedOwners(set, pod);
  return [...others, ...(wanted.set ? [newControllerRef(set, StatefulSet)] : []), ...(wanted.pod ? [newControllerRef(pod, Pod)] : [])];
}

/** Never both: the claim of a surplus pod goes with that pod, whatever happens to the set. */
function wantedOwners(set: StatefulSetView, pod: PodView): { readonly set: boolean; readonly pod: boolean } {
  const { withSet, whenScaled } = retentionOf(set);
  const isSurplus = !isInRange(set, ordinalOf(pod) ?? -1);
  return { set: withSet && !(whenScaled && isSurplus), pod: whenScaled && isSurplus };
}

/** Any value but Delete retains. */
function retentionOf({ spec }: StatefulSetView): Retention {
  const { whenDeleted, whenScaled } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return { withSet: whenDeleted === "Delete", whenScaled: whenScaled === "Delete" };
}

/** Compares by name; the uid tells whether it is the very object. */
function means({ apiVersion, kind, name }: ReferenceView, object: ObjectView, gvk: GroupVersionKind): boolean {
  return apiVersion === apiVersionOf(gvk) && kind === gvk.kind && name === object.metadata.name;
}

function isStale(references: readonly ReferenceView[], object: ObjectView, gvk: GroupVersionKind): boolean {
  const reference = references.find((each) => means(each, object, gvk));
  return reference !== undefined && reference.uid !== object.metadata.uid;
}
