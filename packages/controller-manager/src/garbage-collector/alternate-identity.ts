/** Where an owner may be when it is not where it was looked for: somewhere else where one of its dependents says it is. */
import type { DeepReadonly, OwnerReference } from "@drover/machinery";
import { compareIdentities, identityOfOwner, refersTo } from "./object-identity.ts";
import type { ObjectIdentity } from "./object-identity.ts";

/** Who refers to owners, and from where. */
export interface Dependent {
  readonly identity: ObjectIdentity;
  readonly owners: readonly DeepReadonly<OwnerReference>[];
}

/** Dependents who say the same about an owner as the identity does, and those who do not. One with two references to a uid can be both. */
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
 * The next place to look for an owner that is not at `absent`: the first in the order of identities that follows it,
 * or, behind the last, the
 * first of all. Undefined when nobody says anything else.
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
      // What was absent from no namespace is of a kind that is in none.
      const isOfClusterKind = absent.namespace === "" && owner.apiVersion === absent.apiVersion && owner.kind === absent.kind;
      const alternate = identityOfOwner(owner, isOfClusterKind ? "" : namespace);
      if (compareIdentities(alternate, absent) !== 0) yield alternate;
    }
  }
}
