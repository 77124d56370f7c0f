/** Validates objects before they are stored: metadata, equally for all kinds, and the rules of the kind. */
import {
  budget,
  checkPathSegmentName,
  countExceeded,
  errorsOfEach,
  newInvalid,
  printFieldError,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateStandardFinalizerName,
} from "@drover/machinery";
import type { FieldError, JsonObject, KubeObject, Metrics, ObjectMeta } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import type { Resource } from "../registry/resource.ts";
import type { UpdateStrategy } from "../registry/strategy.ts";
import { StatusError } from "../status-error.ts";

/** kube-apiserver reports all errors, and takes minutes to do so for an object with 80,000 invalid keys. */
const errorCount = budget({
  name: "apiserver/validation-errors",
  limit: 1000,
  unit: "items",
  atLimit: "The 422 lists the first errors only.",
});
/** Errors quote the invalid value. */
const errorBytes = budget({
  name: "apiserver/validation-error-bytes",
  limit: 2 * 2 ** 20,
  unit: "bytes",
  atLimit: "The 422 lists the first errors only, at least one.",
});

/** Throws a 422 when a new object is invalid. */
export function checkNewObject(resource: Resource, object: JsonObject, metrics: Metrics): void {
  refuse(metrics, resource, object, resource.strategy.validateType?.(asKubeObject(object)) ?? []);
  const meta = metaOf(object);
  const namespaced = resource.kind.scope === "Namespaced";
  const errors = [
    ...validateObjectMeta(meta, { namespaced, checkName: resource.rules.checkName }),
    ...finalizerErrors(resource, meta),
    ...(resource.strategy.validate?.(asKubeObject(object)) ?? []),
  ];
  refuse(metrics, resource, object, errors.length > 0 ? errors : pathSegmentErrors(meta, namespaced));
}

/** kube-apiserver validates valid metadata a second time with another rule for names; only names can be wrong then. */
function pathSegmentErrors({ name = "", generateName = "", namespace = "" }: ObjectMeta, namespaced: boolean): FieldError[] {
  return validateObjectMeta({ name, generateName, namespace }, { namespaced, checkName: checkPathSegmentName });
}

/** Throws a 422 when a changed object is invalid. */
export function checkChangedObject(
  resource: Resource,
  strategy: UpdateStrategy,
  object: JsonObject,
  old: JsonObject,
  metrics: Metrics,
): void {
  if (strategy === resource.strategy) refuse(metrics, resource, object, resource.strategy.validateType?.(asKubeObject(object)) ?? []);
  const meta = metaOf(object);
  const oldMeta = metaOf(old);
  const namespaced = resource.kind.scope === "Namespaced";
  const update = validateObjectMetaUpdate(meta, oldMeta);
  refuse(metrics, resource, object, [
    ...validateObjectMeta(meta, { namespaced, checkName: checkPathSegmentName }),
    ...update,
    // Strategies of kube-apiserver validate metadata a second time, so it reports these errors twice.
    ...update,
    ...finalizerErrors(resource, meta),
    ...(strategy.validateUpdate?.(asKubeObject(object), asKubeObject(old)) ?? []),
  ]);
}

function finalizerErrors({ isCustom }: Resource, { finalizers }: ObjectMeta): FieldError[] {
  return isCustom
    ? []
    : errorsOfEach(finalizers ?? [], (name, index) => validateStandardFinalizerName(name, `metadata.finalizers[${index}]`));
}

function refuse(metrics: Metrics, { kind, storedGroup = kind.group }: Resource, object: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  // A custom object may claim another kind; the error names that one.
  const called = object["kind"];
  throw new StatusError(
    newInvalid(
      { group: storedGroup, kind: typeof called === "string" ? called : kind.kind },
      metaOf(object).name ?? "",
      firstErrors(errors, metrics),
    ),
  );
}

/** Returns the errors that fit into the budgets. */
function firstErrors(errors: readonly FieldError[], metrics: Metrics): readonly FieldError[] {
  if (errors.length > errorCount.limit) countExceeded(metrics, errorCount);
  const first: FieldError[] = [];
  let bytes = 0;
  for (const error of errors.slice(0, errorCount.limit)) {
    bytes += printFieldError(error).length;
    if (bytes > errorBytes.limit && first.length > 0) {
      countExceeded(metrics, errorBytes);
      break;
    }
    first.push(error);
  }
  return first;
}

/** Drops to the type that every kind shares. */
export const asKubeObject = (object: JsonObject): KubeObject => object as unknown as KubeObject;
