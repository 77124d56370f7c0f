/** What is wrong with an object that is to be stored: its metadata, which is the same for all kinds, and what its kind says. */
import {
  checkPathSegmentName,
  newInvalid,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateStandardFinalizerName,
} from "@drover/machinery";
import type { FieldError, JsonObject, KubeObject, ObjectMeta } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import type { Resource } from "../registry/resource.ts";
import type { UpdateStrategy } from "../registry/strategy.ts";
import { StatusError } from "../status-error.ts";

/** Throws a 422 when there is anything wrong with a new object. */
export function checkNewObject(resource: Resource, object: JsonObject): void {
  const meta = metaOf(object);
  const namespaced = resource.kind.scope === "Namespaced";
  const errors = [
    ...validateObjectMeta(meta, { namespaced, checkName: resource.rules.checkName }),
    ...finalizerErrors(resource, meta),
    ...(resource.strategy.validate?.(asKubeObject(object)) ?? []),
  ];
  refuse(resource, object, errors.length > 0 ? errors : validateObjectMeta(meta, { namespaced, checkName: checkPathSegmentName }));
}

/** Throws a 422 when there is anything wrong with a changed object. */
export function checkChangedObject(resource: Resource, strategy: UpdateStrategy, object: JsonObject, old: JsonObject): void {
  const meta = metaOf(object);
  const oldMeta = metaOf(old);
  const namespaced = resource.kind.scope === "Namespaced";
  const update = validateObjectMetaUpdate(meta, oldMeta);
  refuse(resource, object, [
    ...validateObjectMeta(meta, { namespaced, checkName: checkPathSegmentName }),
    ...update,
    // Kinds look at the metadata once more by themselves, and the server does not notice.
    ...update,
    ...finalizerErrors(resource, meta),
    ...(strategy.validateUpdate?.(asKubeObject(object), asKubeObject(old)) ?? []),
  ]);
}

function finalizerErrors({ isCustom }: Resource, { finalizers }: ObjectMeta): FieldError[] {
  return isCustom ? [] : (finalizers ?? []).flatMap((name, index) => validateStandardFinalizerName(name, `metadata.finalizers[${index}]`));
}

function refuse({ kind, storedGroup = kind.group }: Resource, object: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  // A custom object may claim to be something else, and is called by that name.
  const called = object["kind"];
  throw new StatusError(
    newInvalid({ group: storedGroup, kind: typeof called === "string" ? called : kind.kind }, metaOf(object).name ?? "", errors),
  );
}

/** The same object, for those who know its kind. */
export const asKubeObject = (object: JsonObject): KubeObject => object as unknown as KubeObject;
