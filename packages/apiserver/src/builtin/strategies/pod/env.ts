/** Validates env and envFrom of containers. */
import {
  checkConfigMapKey,
  checkRelaxedEnvVarName,
  checkSubdomainName,
  fieldChild,
  fieldIndex,
  fieldInvalid,
  fieldNotFound,
  fieldRequired,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { ConfigMapKeySelector, EnvFromSource, EnvVar, EnvVarSource, FileKeySelector, PodSpec } from "@drover/api/core/v1";
import { problemsOf, validateLabelText } from "../checked-field.ts";
import { validateFieldReference, validateResourceReference } from "./field-reference.ts";
import { containersOf } from "./pod-containers.ts";
import { validateNoBacksteps } from "./volume-path.ts";

const supported: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Validates env. */
export function validateEnv(env: readonly EnvVar[] | undefined, path: FieldPath): FieldError[] {
  return (env ?? []).flatMap((variable, index) => {
    const namePath = fieldChild(fieldIndex(path, index), "name");
    return [
      ...(variable.name === "" ? [fieldRequired(namePath)] : problemsOf(namePath, variable.name, checkRelaxedEnvVarName(variable.name))),
      ...(variable.valueFrom === undefined
        ? []
        : validateValueFrom(variable.valueFrom, variable.value ?? "", fieldChild(fieldIndex(path, index), "valueFrom"))),
    ];
  });
}

/** Validates envFrom. */
export function validateEnvFrom(sources: readonly EnvFromSource[] | undefined, path: FieldPath): FieldError[] {
  return (sources ?? []).flatMap(({ prefix = "", configMapRef, secretRef }, index) => {
    const sourcePath = fieldIndex(path, index);
    const errors = [
      ...(prefix === "" ? [] : problemsOf(fieldChild(sourcePath, "prefix"), prefix, checkRelaxedEnvVarName(prefix))),
      ...(configMapRef === undefined ? [] : validateSourceName(configMapRef.name, fieldChild(sourcePath, "configMapRef.name"))),
      ...(secretRef === undefined ? [] : validateSourceName(secretRef.name, fieldChild(sourcePath, "secretRef.name"))),
    ];
    if (configMapRef === undefined && secretRef === undefined)
      return [...errors, fieldInvalid(path, "", "must specify one of: `configMapRef` or `secretRef`")];
    return configMapRef !== undefined && secretRef !== undefined
      ? [...errors, fieldInvalid(path, "", "may not have more than one field specified at a time")]
      : errors;
  });
}

/** Variables from files: the volume must exist and be an emptyDir. */
export function validateEnvFiles(spec: PodSpec, path: FieldPath): FieldError[] {
  return containersOf(spec, path).flatMap(({ container, path: containerPath }) =>
    (container.env ?? []).flatMap(({ valueFrom }, index) => {
      const volumeName = valueFrom?.fileKeyRef?.volumeName;
      if (volumeName === undefined) return [];
      const namePath = fieldChild(fieldIndex(fieldChild(containerPath, "env"), index), "valueFrom.fileKeyRef.volumeName");
      const volume = spec.volumes?.findLast(({ name }) => name === volumeName);
      if (volume === undefined) return [fieldNotFound(namePath, volumeName)];
      return volume.emptyDir === undefined ? [fieldInvalid(namePath, volumeName, "referenced volume must be of type emptyDir")] : [];
    }),
  );
}

function validateValueFrom(source: EnvVarSource, value: string, path: FieldPath): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const errors = [
    ...(fieldRef === undefined ? [] : validateFieldReference(fieldRef, fieldChild(path, "fieldRef"), supported)),
    ...(resourceFieldRef === undefined
      ? []
      : validateResourceReference(resourceFieldRef, fieldChild(path, "resourceFieldRef"), { inVolume: false })),
    ...(configMapKeyRef === undefined ? [] : validateKeySelector(configMapKeyRef, fieldChild(path, "configMapKeyRef"))),
    ...(secretKeyRef === undefined ? [] : validateKeySelector(secretKeyRef, fieldChild(path, "secretKeyRef"))),
    ...(fileKeyRef === undefined ? [] : validateFileKey(fileKeyRef, fieldChild(path, "fileKeyRef"))),
  ];
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter((kind) => kind !== undefined).length;
  if (count === 0)
    return [
      ...errors,
      fieldInvalid(path, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"),
    ];
  if (value !== "") return [...errors, fieldInvalid(path, "", "may not be specified when `value` is not empty")];
  return count > 1 ? [...errors, fieldInvalid(path, "", "may not have more than one field specified at a time")] : errors;
}

function validateKeySelector({ name = "", key }: ConfigMapKeySelector, path: FieldPath): FieldError[] {
  const keyPath = fieldChild(path, "key");
  return [
    ...problemsOf(fieldChild(path, "name"), name, checkSubdomainName(name)),
    ...(key === "" ? [fieldRequired(keyPath)] : problemsOf(keyPath, key, checkConfigMapKey(key))),
  ];
}

function validateFileKey({ key, volumeName, path: file }: FileKeySelector, path: FieldPath): FieldError[] {
  const [keyPath, volumePath, filePath] = [fieldChild(path, "key"), fieldChild(path, "volumeName"), fieldChild(path, "path")];
  return [
    ...(key === "" ? [fieldRequired(keyPath)] : problemsOf(keyPath, key, checkRelaxedEnvVarName(key))),
    ...(volumeName === "" ? [fieldRequired(volumePath)] : validateLabelText(volumeName, volumePath)),
    ...(file === "" ? [fieldRequired(filePath)] : validateNoBacksteps(file, filePath)),
  ];
}

/** The name may be a prefix, so a trailing dash is valid. */
function validateSourceName(name = "", path: FieldPath): FieldError[] {
  return name === "" ? [fieldRequired(path)] : problemsOf(path, name, checkSubdomainName(name, { prefix: true }));
}
