/**
 * Owner references: an object's owners, one of which may be its controller. The garbage collector deletes an object when all its
 * owners are gone.
 *
 * `set…`, `add…` and `remove…` change an object that the caller owns (a new one, or a draft of `edit`); they replace the list of
 * references and never write to it. Owners are compared by group, kind and name: a reference to an earlier object of the same name,
 * or in another version, is updated, not duplicated.
 */
import { definedOnly } from "../json/defined-only.ts";
import { apiVersionOf, groupVersionKindFrom } from "./group-version.ts";
import type { GroupVersionKind } from "./group-version.ts";
import type { KubeObject, OwnerReference } from "./object.ts";
import type { DeepReadonly } from "../json/readonly.ts";

/** Options of a reference. */
export interface OwnerReferenceOptions {
  /**
   * Whether foreground deletion of the owner waits for this object.
   * @default true for a controller, absent for any other owner
   */
  readonly blockOwnerDeletion?: boolean;
}

/** The object already has another controller; an object has at most one. */
export class AlreadyOwnedError extends Error {
  override readonly name = "AlreadyOwnedError";
  /** Reference to its current controller. */
  readonly owner: DeepReadonly<OwnerReference>;

  constructor(object: DeepReadonly<KubeObject>, owner: DeepReadonly<OwnerReference>) {
    const { namespace = "", name = "" } = object.metadata;
    super(`Object ${namespace}/${name} is already owned by another ${owner.kind} controller ${owner.name}`);
    this.owner = owner;
  }
}

/** Returns a reference to an owner that is not the controller. */
export function newOwnerReference(
  owner: DeepReadonly<KubeObject>,
  kind: GroupVersionKind,
  { blockOwnerDeletion }: OwnerReferenceOptions = {},
): OwnerReference {
  return { ...reference(owner, kind), ...definedOnly({ blockOwnerDeletion }) };
}

/** Returns a controller reference. */
export function newControllerRef(
  owner: DeepReadonly<KubeObject>,
  kind: GroupVersionKind,
  { blockOwnerDeletion = true }: OwnerReferenceOptions = {},
): OwnerReference {
  return { ...reference(owner, kind), controller: true, blockOwnerDeletion };
}

/** Returns the reference to the object's controller. */
export function controllerOf(object: DeepReadonly<KubeObject>): DeepReadonly<OwnerReference> | undefined {
  return object.metadata.ownerReferences?.find((ref) => ref.controller === true);
}

/** Whether `owner` is the object's controller, by uid: another object of the same name is not. */
export function isControlledBy(object: DeepReadonly<KubeObject>, owner: DeepReadonly<KubeObject>): boolean {
  const controller = controllerOf(object);
  return controller !== undefined && controller.uid === (owner.metadata.uid ?? "");
}

/** Whether the object has a reference to the owner, by group, kind and name. */
export function hasOwnerReference(object: DeepReadonly<KubeObject>, owner: DeepReadonly<KubeObject>, kind: GroupVersionKind): boolean {
  const wanted = reference(owner, kind);
  return object.metadata.ownerReferences?.some((ref) => refersToSame(ref, wanted)) ?? false;
}

/**
 * Makes `owner` the object's controller. Throws `AlreadyOwnedError` when it has another, and throws for owners the garbage
 * collector cannot follow: in another namespace, or namespaced while the object is cluster-scoped.
 */
export function setControllerReference(
  object: KubeObject,
  owner: DeepReadonly<KubeObject>,
  kind: GroupVersionKind,
  options?: OwnerReferenceOptions,
): void {
  refuseUnreachableOwner(object, owner);
  const ref = newControllerRef(owner, kind, options);
  const current = controllerOf(object);
  if (current !== undefined && !refersToSame(current, ref)) throw new AlreadyOwnedError(object, current);
  replaceReferences(object, withOwnerReference(object.metadata.ownerReferences, ref));
}

/** Adds `owner` to the object's owners, or updates its reference. Throws for the same owners as `setControllerReference`. */
export function addOwnerReference(
  object: KubeObject,
  owner: DeepReadonly<KubeObject>,
  kind: GroupVersionKind,
  options?: OwnerReferenceOptions,
): void {
  refuseUnreachableOwner(object, owner);
  replaceReferences(object, withOwnerReference(object.metadata.ownerReferences, newOwnerReference(owner, kind, options)));
}

/** Removes the reference to the owner. Returns whether there was one. */
export function removeOwnerReference(object: KubeObject, owner: DeepReadonly<KubeObject>, kind: GroupVersionKind): boolean {
  const wanted = reference(owner, kind);
  const references = object.metadata.ownerReferences ?? [];
  const index = references.findIndex((ref) => refersToSame(ref, wanted));
  if (index === -1) return false;
  replaceReferences(object, references.toSpliced(index, 1));
  return true;
}

/** Returns the list with the reference in place of the one to the same owner, or at the end. */
export function withOwnerReference(references: readonly OwnerReference[] | undefined, added: OwnerReference): OwnerReference[] {
  if (references === undefined) return [added];
  const index = references.findIndex((ref) => refersToSame(ref, added));
  return index === -1 ? [...references, added] : references.with(index, added);
}

function reference(owner: DeepReadonly<KubeObject>, kind: GroupVersionKind): OwnerReference {
  const { name = "", uid = "" } = owner.metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid };
}

function refersToSame(a: DeepReadonly<OwnerReference>, b: DeepReadonly<OwnerReference>): boolean {
  return a.kind === b.kind && a.name === b.name && groupOf(a) === groupOf(b);
}

function groupOf({ apiVersion, kind }: DeepReadonly<OwnerReference>): string {
  return groupVersionKindFrom(apiVersion, kind).group;
}

function refuseUnreachableOwner(object: DeepReadonly<KubeObject>, owner: DeepReadonly<KubeObject>): void {
  const ownerNamespace = owner.metadata.namespace ?? "";
  const namespace = object.metadata.namespace ?? "";
  if (ownerNamespace === "" || ownerNamespace === namespace) return;
  if (namespace === "")
    throw new Error(`cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`);
  throw new Error(`cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`);
}

function replaceReferences({ metadata }: KubeObject, references: OwnerReference[]): void {
  if (references.length === 0) delete metadata.ownerReferences;
  else metadata.ownerReferences = references;
}
