/** Validates projected volumes. */
import { fieldChild, fieldForbidden, fieldIndex, fieldInvalid, fieldRequired } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type {
  ConfigMapProjection,
  KeyToPath,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from "@drover/api/core/v1";
import { validateDownwardApiFile } from "./downward-api.ts";
import { validateFileMode, validateUnreservedPath } from "./volume-path.ts";

const tokenSecondsMin = 10 * 60;
const tokenSecondsMax = 2 ** 32;

/** Validates the sources and conflicts between them. Sources behind disabled feature gates were dropped before. */
export function validateProjectedVolume(projected: ProjectedVolumeSource, path: FieldPath): FieldError[] {
  const errors = validateFileMode(projected.defaultMode, fieldChild(path, "defaultMode"));
  const taken = new Set<string>();
  for (const [index, source] of (projected.sources ?? []).entries()) {
    const sourcePath = fieldIndex(fieldChild(path, "sources"), index);
    errors.push(...validateSource(source, sourcePath, path, taken));
    const { secret, configMap, downwardAPI, serviceAccountToken } = source;
    if ([secret, configMap, downwardAPI, serviceAccountToken].filter((kind) => kind !== undefined).length > 1) {
      errors.push(fieldForbidden(sourcePath, "may not specify more than 1 volume type per source"));
    }
  }
  return errors;
}

/** Validates a key of a Secret or ConfigMap and its path. */
export function validateKeyToPath(item: KeyToPath, path: FieldPath): FieldError[] {
  const pathOfFile = fieldChild(path, "path");
  return [
    ...(item.key === "" ? [fieldRequired(fieldChild(path, "key"))] : []),
    ...(item.path === "" ? [fieldRequired(pathOfFile)] : []),
    ...validateUnreservedPath(item.path, pathOfFile),
    ...validateFileMode(item.mode, fieldChild(path, "mode")),
  ];
}

function validateSource(source: VolumeProjection, path: FieldPath, volumePath: FieldPath, taken: Set<string>): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken } = source;
  const errors: FieldError[] = [];
  const take = (file: string, shown: string): void => {
    if (file !== "" && taken.has(file)) errors.push(fieldInvalid(volumePath, shown, "conflicting duplicate paths"));
    taken.add(file);
  };
  // Secret and ConfigMap projections have the same fields.
  const keyed = (part: ConfigMapProjection | undefined, pathOfPart: FieldPath): void => {
    if (part === undefined) return;
    const { name = "", items } = part;
    if (name === "") errors.push(fieldRequired(fieldChild(pathOfPart, "name")));
    for (const [index, item] of (items ?? []).entries()) {
      errors.push(...validateKeyToPath(item, fieldIndex(fieldChild(pathOfPart, "items"), index)));
      take(item.path, name);
    }
  };
  keyed(secret, fieldChild(path, "secret"));
  keyed(configMap, fieldChild(path, "configMap"));
  for (const file of downwardAPI?.items ?? []) {
    errors.push(...validateDownwardApiFile(file, fieldChild(path, "downwardAPI")));
    take(file.path, file.path);
  }
  if (serviceAccountToken !== undefined)
    errors.push(...validateToken(serviceAccountToken, fieldChild(path, "serviceAccountToken"), volumePath));
  return errors;
}

function validateToken(
  { expirationSeconds = 0, path: file }: ServiceAccountTokenProjection,
  path: FieldPath,
  volumePath: FieldPath,
): FieldError[] {
  const secondsPath = fieldChild(path, "expirationSeconds");
  const errors: FieldError[] = [];
  if (expirationSeconds < tokenSecondsMin)
    errors.push(fieldInvalid(secondsPath, expirationSeconds, "may not specify a duration less than 10 minutes"));
  if (expirationSeconds > tokenSecondsMax)
    errors.push(fieldInvalid(secondsPath, expirationSeconds, "may not specify a duration larger than 2^32 seconds"));
  // kube-apiserver reports a path that does not exist.
  const pathOfFile = fieldChild(volumePath, "path");
  return [...errors, ...(file === "" ? [fieldRequired(pathOfFile)] : validateUnreservedPath(file, pathOfFile))];
}
