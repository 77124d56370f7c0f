/**
 * Which object is meant: the very one, told by its uid, and where it is said to be found. Two who mean the same uid may
 * disagree about the place.
 */
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly, OwnerReference } from "@drover/machinery";

/** Where an object is, and which one it is. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** "" for what is in no namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Whom a reference means, when it stands in an object of this namespace. */
export function identityOfOwner({ apiVersion, kind, name, uid }: DeepReadonly<OwnerReference>, namespace: string): ObjectIdentity {
  return { apiVersion, kind, namespace, name, uid };
}

export function sameIdentity(a: ObjectIdentity, b: ObjectIdentity): boolean {
  return compareIdentities(a, b) === 0;
}

/** By kind, version, namespace, name, and the uid last: kinds stay together, whether they are in namespaces or not. */
export function compareIdentities(a: ObjectIdentity, b: ObjectIdentity): number {
  return (
    compareBytes(a.kind, b.kind) ||
    compareBytes(a.apiVersion, b.apiVersion) ||
    compareBytes(a.namespace, b.namespace) ||
    compareBytes(a.name, b.name) ||
    compareBytes(a.uid, b.uid)
  );
}

/** Whether a reference says the same about its owner as this identity, its namespace aside, of which references do not speak. */
export function refersTo({ apiVersion, kind, name, uid }: DeepReadonly<OwnerReference>, identity: ObjectIdentity): boolean {
  return uid === identity.uid && name === identity.name && kind === identity.kind && apiVersion === identity.apiVersion;
}

/** As events and errors of kube-controller-manager name it: "[apps/v1/ReplicaSet, namespace: shop, name: web, uid: 1]". */
export function printIdentity({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}
