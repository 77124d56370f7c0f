/** Where else to look for an absent owner: at another identity that one of its dependents refers to. */
import type { DeepReadonly, OwnerReference } from "@drover/machinery";
import { compareIdentities, identityOfOwner, refersTo } from "./object-identity.ts";
import type { ObjectIdentity } from "./object-identity.ts";

/** An object with owner references, and its namespace. */
export interface Dependent {
  readonly identity: ObjectIdentity;
  readonly owners: readonly DeepReadonly<OwnerReference>[];
}

/**
 * Splits dependents into those whose reference agrees with the identity and those whose reference does not. One with two references
 * to a uid can be in both.
 */
export function partitionDependents<D extends Dependent>(
  dependents: Iterable<D>,
  owner: ObjectIdentity,
): { readonly agreeing: readonly D[]; readonly disagreeing: readonly D[] } {
  const agreeing: D[] = [];
  const disagreeing: D[] = [];
  for (const dependent of dependents) {
    const isElsewhere = owner.namespace !== "" && dependent.identity.namespace !== owner.namespace;
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (!isElsewhere && references.some((reference) => refersTo(reference, owner))) agreeing.push(dependent);
    if (isElsewhere || references.some((reference) => !refersTo(reference, owner))) disagreeing.push(dependent);
  }
  return { agreeing, disagreeing };
}

/**
 * Returns the next identity to look at for an owner that is not at `absent`: the following one in sort order, wrapping around.
 * Undefined when all dependents agree with `absent`.
 */
export function alternateIdentity(dependents: Iterable<Dependent>, absent: ObjectIdentity): ObjectIdentity | undefined {
  let first: ObjectIdentity | undefined;
  let following: ObjectIdentity | undefined;
  for (const alternate of alternates(dependents, absent)) {
    if (first === undefined || compareIdentities(alternate, first) < 0) first = alternate;
    if (compareIdentities(absent, alternate) < 0 && (following === undefined || compareIdentities(alternate, following) < 0))
      following = alternate;
  }
  return following ?? first;
}

function* alternates(dependents: Iterable<Dependent>, absent: ObjectIdentity): Generator<ObjectIdentity> {
  for (const {
    identity: { namespace },
    owners,
  } of dependents) {
    for (const owner of owners) {
      if (owner.uid !== absent.uid) continue;
      // An owner looked up without a namespace is of a cluster-scoped kind.
      const isOfClusterKind = absent.namespace === "" && owner.apiVersion === absent.apiVersion && owner.kind === absent.kind;
      const alternate = identityOfOwner(owner, isOfClusterKind ? "" : namespace);
      if (compareIdentities(alternate, absent) !== 0) yield alternate;
    }
  }
}
