/** Decides whose an existing object is, before it is applied to or pruned. */
import { controllerOf, getOwn, groupVersionKindFrom } from "@drover/machinery";
import type { DeepReadonly, KubeObject, OwnerReference } from "@drover/machinery";
import type { SetOwner } from "./apply-set.ts";
import { kindWords, ownerAnnotation, placeWords, setLabel, setNameAnnotation } from "./set-identity.ts";
import type { SetIdentity } from "./set-identity.ts";
import { isWranglerSet, wranglerOwnerOf, wranglerWords } from "./wrangler-annotations.ts";

/** Whose an object is. */
export type MemberOwner =
  /** `isMarked`: it carries our mark, so it may also be deleted. */
  | { readonly type: "ours"; readonly isMarked: boolean }
  | { readonly type: "unowned" }
  /** `owner` for people. */
  | { readonly type: "other"; readonly owner: string };

/**
 * An object is ours if it has our label, a controller reference to our owner, our annotations, or Wrangler's
 * annotations for our owner, unless another set's label or another controller contradicts. The owner may be a former
 * object of the same name: its leftovers are ours.
 */
export function memberOwner(object: DeepReadonly<KubeObject>, identity: SetIdentity, owner: SetOwner): MemberOwner {
  const { labels = {}, annotations = {}, namespace } = object.metadata;
  const label = getOwn(labels, setLabel);
  const hasOurLabel = label !== undefined && (label === identity.id || identity.earlierIds.includes(label));
  const names = (key: string): string => getOwn(annotations, key) ?? "";
  if (label !== undefined && !hasOurLabel)
    return { type: "other", owner: `the set ${names(setNameAnnotation) || label} of ${names(ownerAnnotation) || "an unknown owner"}` };
  const controller = controllerOf(object);
  const isController = controller !== undefined && refersTo(controller, owner);
  if (controller !== undefined && !isController && !(hasOurLabel && isEarlierSelf(controller, owner)))
    return { type: "other", owner: referenceWords(controller, namespace) };
  if (hasOurLabel) return { type: "ours", isMarked: true };
  const wrangler = wranglerOwnerOf(object);
  if (wrangler !== undefined && isWranglerSet(wrangler, owner, identity.names)) return { type: "ours", isMarked: true };
  if (isController) return { type: "ours", isMarked: false };
  if (wrangler !== undefined) return { type: "other", owner: wranglerWords(wrangler) };
  if (identity.names.includes(names(setNameAnnotation)) && names(ownerAnnotation) === identity.owner)
    return { type: "ours", isMarked: false };
  return { type: "unowned" };
}

const refersTo = ({ uid }: DeepReadonly<OwnerReference>, { object }: SetOwner): boolean =>
  object.metadata.uid !== undefined && uid === object.metadata.uid;

function isEarlierSelf({ apiVersion, kind, name }: DeepReadonly<OwnerReference>, owner: SetOwner): boolean {
  return (
    kind === owner.kind.kind && groupVersionKindFrom(apiVersion, kind).group === owner.kind.group && name === owner.object.metadata.name
  );
}

// An owner is in the same namespace or cluster-scoped; the reference does not say which.
const referenceWords = ({ apiVersion, kind, name }: DeepReadonly<OwnerReference>, namespace: string | undefined): string =>
  `${kindWords(groupVersionKindFrom(apiVersion, kind))} ${placeWords(namespace, name)}`;
