/** References from events to objects. */
import type { ObjectReference } from "@drover/api/core/v1";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** An object, or a reference to one (with a `fieldPath`, or if the object itself is not available). */
export type Referable = DeepReadonly<KubeObject> | DeepReadonly<ObjectReference>;

/**
 * Returns the reference to an object; undefined if it is incomplete. Objects need `apiVersion` and `kind`, which those from the client and
 * the cache have, and a name.
 */
export function objectReference(about: Referable): ObjectReference | undefined {
  if (typeof about !== "object" || about === null) return undefined;
  const reference = "metadata" in about ? fromObject(about) : { ...about };
  return reference.kind === undefined ||
    reference.kind === "" ||
    reference.apiVersion === undefined ||
    reference.name === undefined ||
    reference.name === ""
    ? undefined
    : reference;
}

/** Copies field by field: this runs for every event, and spreads are slow. */
function fromObject({ apiVersion, kind, metadata }: DeepReadonly<KubeObject>): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata;
  const reference: ObjectReference = {};
  if (apiVersion !== undefined) reference.apiVersion = apiVersion;
  if (kind !== undefined) reference.kind = kind;
  if (name !== undefined) reference.name = name;
  if (namespace !== undefined && namespace !== "") reference.namespace = namespace;
  if (uid !== undefined) reference.uid = uid;
  if (resourceVersion !== undefined) reference.resourceVersion = resourceVersion;
  return reference;
}
