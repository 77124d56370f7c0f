/** Validates claim templates of ephemeral volumes and StatefulSets. */
import {
  checkLabelName,
  fieldChild,
  fieldForbidden,
  fieldInvalid,
  fieldKey,
  fieldRequired,
  getOwn,
  Quantity,
  validateAnnotations,
  validateLabels,
  validateLabelSelector,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate, TypedObjectReference } from "@drover/api/core/v1";
import { problemsOf, validateOptionalChoice, validateSubdomain } from "../checked-field.ts";

const accessModes: readonly string[] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Validates a template inside a pod, whose metadata may have only labels and annotations. */
export function validateVolumeClaimTemplate({ metadata, spec }: PersistentVolumeClaimTemplate, path: FieldPath): FieldError[] {
  const metaPath = fieldChild(path, "metadata");
  const extra = Object.entries(metadata ?? {}).filter(
    ([name, value]) => name !== "labels" && name !== "annotations" && !(value === "" || value === 0 || value === null),
  );
  return [
    ...validateAnnotations(metadata?.annotations, fieldChild(metaPath, "annotations")),
    ...validateLabels(metadata?.labels, fieldChild(metaPath, "labels")),
    // kube-apiserver derives the path from its Go field names, one of which is "UID".
    ...extra.map(([name]) => fieldForbidden(fieldChild(metaPath, name === "uid" ? "uID" : name), "cannot be set")),
    ...validateVolumeClaimSpec(spec, fieldChild(path, "spec")),
  ];
}

/** Validates the spec of a claim. */
export function validateVolumeClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const { storageClassName = "", volumeAttributesClassName = "", dataSource, dataSourceRef } = spec;
  return [
    ...validateAccessModes(spec, path),
    ...validateRequest(spec, fieldKey(fieldChild(path, "resources"), "storage")),
    ...(storageClassName === "" ? [] : validateSubdomain(storageClassName, fieldChild(path, "storageClassName"))),
    ...validateOptionalChoice(spec.volumeMode, fieldChild(path, "volumeMode"), ["Block", "Filesystem"]),
    ...(dataSource === undefined ? [] : validateDataSource(dataSource, fieldChild(path, "dataSource"))),
    ...(dataSourceRef === undefined ? [] : validateDataSource(dataSourceRef, fieldChild(path, "dataSourceRef"))),
    ...validateSourcesAgree(spec, path),
    ...(volumeAttributesClassName === ""
      ? []
      : validateSubdomain(volumeAttributesClassName, fieldChild(path, "volumeAttributesClassName"))),
  ];
}

function validateAccessModes({ accessModes: modes, selector }: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const modesPath = fieldChild(path, "accessModes");
  const asked = modes ?? [];
  const errors = asked.length === 0 ? [fieldRequired(modesPath, "at least 1 access mode is required")] : [];
  errors.push(
    ...validateLabelSelector(selector, fieldChild(path, "selector")),
    ...asked.flatMap((mode) => validateOptionalChoice(mode, modesPath, accessModes)),
  );
  const alone = asked.includes("ReadWriteOncePod") && asked.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  return alone ? [...errors, fieldForbidden(modesPath, "may not use ReadWriteOncePod with other access modes")] : errors;
}

function validateRequest({ resources }: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const storage = getOwn(resources?.requests ?? {}, "storage");
  if (storage === undefined) return [fieldRequired(path)];
  const amount = Quantity.fromJson(storage);
  return amount.sign() > 0 ? [] : [fieldInvalid(path, amount.toString(), "must be greater than zero")];
}

function validateDataSource({ apiGroup: group, kind, name, namespace = "" }: TypedObjectReference, path: FieldPath): FieldError[] {
  // The codec writes null for none.
  const apiGroup = group ?? "";
  const errors: FieldError[] = [];
  if (name === "") errors.push(fieldRequired(fieldChild(path, "name")));
  if (kind === "") errors.push(fieldRequired(fieldChild(path, "kind")));
  if (apiGroup === "" && kind !== "PersistentVolumeClaim")
    errors.push(fieldInvalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  if (apiGroup !== "") errors.push(...validateSubdomain(apiGroup, fieldChild(path, "apiGroup")));
  return namespace === "" ? errors : [...errors, ...problemsOf(fieldChild(path, "namespace"), namespace, checkLabelName(namespace))];
}

function validateSourcesAgree({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  if (dataSource === undefined || dataSourceRef === undefined) return [];
  // kube-apiserver passes the field path as value, which prints as {}.
  const invalid = (detail: string): FieldError[] => [{ ...fieldInvalid(path, undefined, detail), valueText: "{}" }];
  if ((dataSourceRef.namespace ?? "") !== "") return invalid("may not be specified when dataSourceRef.namespace is specified");
  const same =
    dataSource.apiGroup === dataSourceRef.apiGroup && dataSource.kind === dataSourceRef.kind && dataSource.name === dataSourceRef.name;
  return same ? [] : invalid("must match dataSourceRef");
}
