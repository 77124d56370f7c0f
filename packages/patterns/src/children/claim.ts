/**
 * Decides which objects belong to an owner, without any request.
 *
 *     cached objects → claim → keep ours, adopt orphans, release what no longer matches, ignore the rest
 *
 * claim-children.ts carries out the decisions. They are those of kube-controller-manager, so both can watch the same
 * objects without fighting.
 */
import { controllerOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** What an owner does with an object. */
export type ClaimDecision =
  /** Controlled by the owner, and matches. */
  | "keep"
  /** Has no controller, matches, and may be adopted. */
  | "adopt"
  /** Controlled by the owner, but no longer matches. */
  | "release"
  /** Controlled by another owner, or does not match. */
  | "ignore";

/** Objects by decision, each list in the given order. */
export type Claim<Child extends KubeObject> = Readonly<Record<ClaimDecision, readonly DeepReadonly<Child>[]>>;

/** Decides about every object; each is in exactly one list. */
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
 * Decides about one object. Calls `matches` only if the result matters.
 *
 * Guarantees: ignores what another owner controls, whatever its labels. An owner that is being deleted keeps its
 * children and neither adopts nor releases. An object that is being deleted is not adopted. A namespaced owner adopts
 * only in its namespace.
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
