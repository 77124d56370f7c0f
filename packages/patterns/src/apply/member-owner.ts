/** Whose an object is that stands where a desired one belongs, or that is to be pruned. */
import { controllerOf, getOwn, groupVersionKindFrom } from "@drover/machinery";
import type { DeepReadonly, KubeObject, OwnerReference } from "@drover/machinery";
import type { SetOwner } from "./apply-set.ts";
import { kindWords, ownerAnnotation, placeWords, setLabel, setNameAnnotation } from "./set-identity.ts";
import type { SetIdentity } from "./set-identity.ts";
import { isWranglerSet, wranglerOwnerOf, wranglerWords } from "./wrangler-annotations.ts";

export type MemberOwner =
  /** `isMarked`: it carries our mark, so that we may delete it as well. */
  | { readonly type: "ours"; readonly isMarked: boolean }
  | { readonly type: "nobody" }
  /** `owner` in words. */
  | { readonly type: "other"; readonly owner: string };

/**
 * Ours is what has our label, a controller reference to our owner, our annotations, or Wrangler's of our owner; unless
 * another set's label or
 * another controller speaks against it. The owner may be an earlier one of the same name: what it left behind is ours.
 */
export function memberOwner(object: DeepReadonly<KubeObject>, identity: SetIdentity, owner: SetOwner): MemberOwner {
  const { labels = {}, annotations = {}, namespace } = object.metadata;
  const label = getOwn(labels, setLabel);
  const hasOurLabel = label !== undefined && (label === identity.id || identity.earlierIds.includes(label));
  const names = (key: string): string => getOwn(annotations, key) ?? "";
  if (label !== undefined && !hasOurLabel)
    return { type: "other", owner: `the set ${names(setNameAnnotation) || label} of ${names(ownerAnnotation) || "somebody"}` };
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
  return { type: "nobody" };
}

const refersTo = ({ uid }: DeepReadonly<OwnerReference>, { object }: SetOwner): boolean =>
  object.metadata.uid !== undefined && uid === object.metadata.uid;

function isEarlierSelf({ apiVersion, kind, name }: DeepReadonly<OwnerReference>, owner: SetOwner): boolean {
  return (
    kind === owner.kind.kind && groupVersionKindFrom(apiVersion, kind).group === owner.kind.group && name === owner.object.metadata.name
  );
}

// A reference does not leave the namespace, unless its owner is in none; which of the two it is, it does not say.
const referenceWords = ({ apiVersion, kind, name }: DeepReadonly<OwnerReference>, namespace: string | undefined): string =>
  `${kindWords(groupVersionKindFrom(apiVersion, kind))} ${placeWords(namespace, name)}`;
