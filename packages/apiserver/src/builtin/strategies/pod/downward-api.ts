/** Validates downward API volumes. */
import { fieldChild, fieldInvalid, fieldRequired } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { DownwardAPIVolumeFile, DownwardAPIVolumeSource } from "@drover/api/core/v1";
import { validateFieldReference, validateResourceReference } from "./field-reference.ts";
import { validateFileMode, validateUnreservedPath } from "./volume-path.ts";

const supported: readonly string[] = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

/** Validates the volume. kube-apiserver does not say which file is invalid. */
export function validateDownwardApiVolume(source: DownwardAPIVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...validateFileMode(source.defaultMode, fieldChild(path, "defaultMode")),
    ...(source.items ?? []).flatMap((file) => validateDownwardApiFile(file, path)),
  ];
}

/** Validates one file. */
export function validateDownwardApiFile(file: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  const pathOfFile = fieldChild(path, "path");
  return [
    ...(file.path === "" ? [fieldRequired(pathOfFile)] : []),
    ...validateUnreservedPath(file.path, pathOfFile),
    ...validateContent(file, path),
    ...validateFileMode(file.mode, fieldChild(path, "mode")),
  ];
}

function validateContent({ fieldRef, resourceFieldRef }: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  if (fieldRef !== undefined) {
    const both =
      resourceFieldRef === undefined
        ? []
        : [fieldInvalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")];
    return [...validateFieldReference(fieldRef, fieldChild(path, "fieldRef"), supported), ...both];
  }
  if (resourceFieldRef === undefined) return [fieldRequired(path, "one of fieldRef and resourceFieldRef is required")];
  return validateResourceReference(resourceFieldRef, fieldChild(path, "resourceFieldRef"), { inVolume: true });
}
