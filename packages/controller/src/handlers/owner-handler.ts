/**
 * Maps the changed object to its owner. Used by `owns`.
 *
 *     Pod web-1 changed → its ownerReferences → ReplicaSet web
 */
import { controllerOf, objectKey, parseGroupVersion } from "@drover/machinery";
import type { DeepReadonly, GroupKind, Kind, KubeObject, ObjectKey, OwnerReference } from "@drover/machinery";
import { changeStates } from "./change-states.ts";
import { requestsFor } from "./request.ts";
import type { Handler } from "./request.ts";

/** Which owner references count. */
export interface OwnerMatchOptions {
  /** Whether only the owner reference with `controller: true` counts. @default false */
  readonly onlyController?: boolean;
}

/**
 * Returns a handler that enqueues owners of one kind and ignores other owners. controller-runtime's EnqueueRequestForOwner.
 *
 * - Compares group and kind, not the version. Ignores references whose `apiVersion` cannot be parsed.
 * - For an update it enqueues the owners before and after, so an owner is notified when it loses an object.
 * - A namespaced owner is in the namespace of the object. A cluster-scoped object cannot have one, so nothing is enqueued. A cluster-scoped
 *   owner has no namespace.
 * - Does not compare uids: the reconcile checks whether the object of that key is still the referenced one.
 */
export function ownerHandler(kind: Pick<Kind, "group" | "kind" | "scope">, options: OwnerMatchOptions = {}): Handler {
  const keysOf = (object: DeepReadonly<KubeObject>): readonly ObjectKey[] => {
    const { namespace = "" } = object.metadata;
    if (kind.scope === "Namespaced" && namespace === "") return [];
    return ownerReferencesTo(object, kind, options).map(({ name }) => objectKey(name, kind.scope === "Namespaced" ? namespace : ""));
  };
  return (change) => requestsFor(change, "owner", changeStates(change).flatMap(keysOf));
}

/** Returns the owner references of an object that name a group and kind. */
export function ownerReferencesTo(
  object: DeepReadonly<KubeObject>,
  kind: GroupKind,
  { onlyController = false }: OwnerMatchOptions,
): readonly DeepReadonly<OwnerReference>[] {
  const controller = onlyController ? controllerOf(object) : undefined;
  const references = onlyController ? (controller === undefined ? [] : [controller]) : (object.metadata.ownerReferences ?? []);
  return references.filter((reference) => reference.kind === kind.kind && groupOf(reference.apiVersion) === kind.group);
}

/** Returns undefined if the version cannot be parsed; machinery's `groupVersionKindFrom` would return the core group. */
function groupOf(apiVersion: string): string | undefined {
  try {
    return parseGroupVersion(apiVersion).group;
  } catch {
    return undefined;
  }
}
