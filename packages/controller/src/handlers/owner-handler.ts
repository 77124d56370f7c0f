/**
 * The owner of the object that changed is the one to reconcile: what `owns` watches with.
 *
 *     Pod web-1 changed → its ownerReferences → ReplicaSet web
 */
import { controllerOf, objectKey, parseGroupVersion } from "@drover/machinery";
import type { DeepReadonly, GroupKind, Kind, KubeObject, ObjectKey, OwnerReference } from "@drover/machinery";
import { changeStates } from "./change-states.ts";
import { requestsFor } from "./request.ts";
import type { Handler } from "./request.ts";

/** Which owners count. */
export interface OwnerMatchOptions {
  /** Whether only the one owner that manages the object counts, and not those that merely own it. @default false */
  readonly onlyController?: boolean;
}

/**
 * Requests for the owners of a kind; what else owns the object is none of its business. controller-runtime's EnqueueRequestForOwner.
 *
 * - Group and kind are compared, versions are not. A reference whose `apiVersion` cannot be read is no reference.
 * - Of an update the owners before and after it are asked for, so that an owner hears of what was taken from it.
 * - A namespaced owner is in the namespace of the object. One of a cluster-scoped object cannot exist, and is not asked for; a
 *   cluster-scoped owner has no namespace.
 * - Uids are not compared: whoever reconciles the key finds out whether its object is still the one that is meant.
 */
export function ownerHandler(kind: Pick<Kind, "group" | "kind" | "scope">, options: OwnerMatchOptions = {}): Handler {
  const keysOf = (object: DeepReadonly<KubeObject>): readonly ObjectKey[] => {
    const { namespace = "" } = object.metadata;
    if (kind.scope === "Namespaced" && namespace === "") return [];
    return ownerReferencesTo(object, kind, options).map(({ name }) => objectKey(name, kind.scope === "Namespaced" ? namespace : ""));
  };
  return (change) => requestsFor(change, "owner", changeStates(change).flatMap(keysOf));
}

/** The object's references to owners of a group and kind. */
export function ownerReferencesTo(
  object: DeepReadonly<KubeObject>,
  kind: GroupKind,
  { onlyController = false }: OwnerMatchOptions,
): readonly DeepReadonly<OwnerReference>[] {
  const controller = onlyController ? controllerOf(object) : undefined;
  const references = onlyController ? (controller === undefined ? [] : [controller]) : (object.metadata.ownerReferences ?? []);
  return references.filter((reference) => reference.kind === kind.kind && groupOf(reference.apiVersion) === kind.group);
}

/** Undefined when it cannot be read; machinery's `groupVersionKindFrom` would make the core group of it. */
function groupOf(apiVersion: string): string | undefined {
  try {
    return parseGroupVersion(apiVersion).group;
  } catch {
    return undefined;
  }
}
