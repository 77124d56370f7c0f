/**
 * Which objects belong to an owner, decided without asking anybody.
 *
 *     cached objects → claim → keep what is ours, adopt orphans, release what matches no longer, ignore the rest
 *
 * Doing it is the affair of claim-children.ts. The decisions are those of kube-controller-manager, so that ours and theirs can watch the
 * same objects without a tug of war.
 */
import { controllerOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** What an owner does about an object. */
export type ClaimDecision =
  /** Ours, and it matches. */
  | "keep"
  /** Nobody's, it matches, and it may become ours. */
  | "adopt"
  /** Ours, and it matches no longer. */
  | "release"
  /** Somebody else's, or none of our business. */
  | "ignore";

/** Objects by what is done about them, each list in the order in which they came. */
export type Claim<Child extends KubeObject> = Readonly<Record<ClaimDecision, readonly DeepReadonly<Child>[]>>;

/** Decides about every object; each is in exactly one of the lists. */
export function claim<Child extends KubeObject>(
  owner: DeepReadonly<KubeObject>,
  objects: readonly DeepReadonly<Child>[],
  matches: (object: DeepReadonly<Child>) => boolean,
): Claim<Child> {
  const claimed: Record<ClaimDecision, DeepReadonly<Child>[]> = { keep: [], adopt: [], release: [], ignore: [] };
  for (const object of objects) claimed[decideClaim(owner, object, matches)].push(object);
  return claimed;
}

/**
 * Decides about one object. `matches` is asked only where the answer matters.
 *
 * Guarantees: what another controls is ignored, whatever its labels; an owner that is being deleted keeps what it has,
 * and neither adopts nor
 * releases; an object that is being deleted is not adopted; a namespaced owner adopts only in its namespace.
 */
export function decideClaim<Child extends KubeObject>(
  owner: DeepReadonly<KubeObject>,
  object: DeepReadonly<Child>,
  matches: (object: DeepReadonly<Child>) => boolean,
): ClaimDecision {
  const { uid = "", namespace = "", deletionTimestamp: ownerGoesAt } = owner.metadata;
  const controller = controllerOf(object);
  if (controller !== undefined) {
    if (controller.uid !== uid) return "ignore";
    if (matches(object)) return "keep";
    return ownerGoesAt === undefined ? "release" : "ignore";
  }
  if (ownerGoesAt !== undefined || object.metadata.deletionTimestamp !== undefined) return "ignore";
  if (namespace !== "" && namespace !== object.metadata.namespace) return "ignore";
  return matches(object) ? "adopt" : "ignore";
}
