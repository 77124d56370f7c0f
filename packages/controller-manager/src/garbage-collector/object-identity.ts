/** Identity of an object: its uid, and the coordinates it is said to have. Two references to one uid may disagree about the coordinates. */
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly, OwnerReference } from "@drover/machinery";

/** Coordinates and uid of an object. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Returns the owner that a reference in an object of this namespace means. */
export function identityOfOwner({ apiVersion, kind, name, uid }: DeepReadonly<OwnerReference>, namespace: string): ObjectIdentity {
  return { apiVersion, kind, namespace, name, uid };
}

export function sameIdentity(a: ObjectIdentity, b: ObjectIdentity): boolean {
  return compareIdentities(a, b) === 0;
}

/** Sorts by kind, version, namespace, name and uid, so that objects of one kind stay together, namespaced or not. */
export function compareIdentities(a: ObjectIdentity, b: ObjectIdentity): number {
  return (
    compareBytes(a.kind, b.kind) ||
    compareBytes(a.apiVersion, b.apiVersion) ||
    compareBytes(a.namespace, b.namespace) ||
    compareBytes(a.name, b.name) ||
    compareBytes(a.uid, b.uid)
  );
}

/** Whether a reference agrees with this identity; references carry no namespace. */
export function refersTo({ apiVersion, kind, name, uid }: DeepReadonly<OwnerReference>, identity: ObjectIdentity): boolean {
  return uid === identity.uid && name === identity.name && kind === identity.kind && apiVersion === identity.apiVersion;
}

/** Prints it as events and errors of kube-controller-manager do: "[apps/v1/ReplicaSet, namespace: shop, name: web, uid: 1]". */
export function printIdentity({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}
