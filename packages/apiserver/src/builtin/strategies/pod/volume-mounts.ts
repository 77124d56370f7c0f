/** Validates volume mounts and volume devices. */
import { fieldChild, fieldForbidden, fieldIndex, fieldInvalid, fieldNotFound, fieldRequired } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Container, VolumeMount } from "@drover/api/core/v1";
import { validateOptionalChoice } from "../checked-field.ts";
import { validateDescendingPath, validateNoBacksteps } from "./volume-path.ts";
import type { MountableVolumes } from "./volumes.ts";

const propagations: readonly string[] = ["Bidirectional", "HostToContainer", "None"];
const recursiveReadOnly: readonly string[] = ["Disabled", "Enabled", "IfPossible"];

/** Validates mounts. */
export function validateVolumeMounts(container: Container, volumes: MountableVolumes, path: FieldPath): FieldError[] {
  const devices = container.volumeDevices ?? [];
  const points = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, index) => {
    const mountPath = fieldIndex(path, index);
    const [namePath, pointPath] = [fieldChild(mountPath, "name"), fieldChild(mountPath, "mountPath")];
    const errors: FieldError[] = [];
    if (mount.name === "") errors.push(fieldRequired(namePath));
    if (!volumes.has(mount.name)) errors.push(fieldNotFound(namePath, mount.name));
    if (mount.mountPath === "") errors.push(fieldRequired(pointPath));
    if (points.has(mount.mountPath)) errors.push(fieldInvalid(pointPath, mount.mountPath, "must be unique"));
    points.add(mount.mountPath);
    if (devices.some(({ name }) => name === mount.name))
      errors.push(fieldInvalid(namePath, mount.name, "must not already exist in volumeDevices"));
    if (devices.some(({ devicePath }) => devicePath === mount.mountPath))
      errors.push(fieldInvalid(pointPath, mount.mountPath, "must not already exist as a path in volumeDevices"));
    return [...errors, ...validateSubPath(mount, mountPath, path), ...validatePropagation(mount, container, path)];
  });
}

/** Validates devices, which must be claims. */
export function validateVolumeDevices(container: Container, volumes: MountableVolumes, path: FieldPath): FieldError[] {
  const mounts = container.volumeMounts ?? [];
  const [names, paths] = [new Set<string>(), new Set<string>()];
  return (container.volumeDevices ?? []).flatMap(({ name, devicePath }, index) => {
    const [namePath, pointPath] = [fieldChild(fieldIndex(path, index), "name"), fieldChild(fieldIndex(path, index), "devicePath")];
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    if (name === "") errors.push(fieldRequired(namePath));
    if (names.has(name)) errors.push(fieldInvalid(namePath, name, "must be unique"));
    if (volume === undefined) errors.push(fieldNotFound(namePath, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      errors.push(fieldInvalid(namePath, name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"));
    }
    if (devicePath === "") errors.push(fieldRequired(pointPath));
    if (paths.has(devicePath)) errors.push(fieldInvalid(pointPath, devicePath, "must be unique"));
    if (validateNoBacksteps(devicePath, path).length > 0)
      errors.push(fieldInvalid(pointPath, devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mounts.some((mount) => mount.name === name)) errors.push(fieldInvalid(namePath, name, "must not already exist in volumeMounts"));
    if (mounts.some(({ mountPath }) => mountPath === devicePath))
      errors.push(fieldInvalid(pointPath, devicePath, "must not already exist as a path in volumeMounts"));
    if (name !== "") names.add(name);
    return errors;
  });
}

/** `listPath` is that of all mounts, which kube-apiserver reports here. */
function validateSubPath({ subPath = "", subPathExpr = "" }: VolumeMount, path: FieldPath, listPath: FieldPath): FieldError[] {
  return [
    ...(subPath === "" ? [] : validateDescendingPath(subPath, fieldChild(listPath, "subPath"))),
    ...(subPath !== "" && subPathExpr !== ""
      ? [fieldInvalid(fieldChild(path, "subPathExpr"), subPathExpr, "subPathExpr and subPath are mutually exclusive")]
      : []),
    ...(subPathExpr === "" ? [] : validateDescendingPath(subPathExpr, fieldChild(listPath, "subPathExpr"))),
  ];
}

function validatePropagation(
  { mountPropagation, recursiveReadOnly: recursive, readOnly }: VolumeMount,
  container: Container,
  listPath: FieldPath,
): FieldError[] {
  const propagationPath = fieldChild(listPath, "mountPropagation");
  const recursivePath = fieldChild(listPath, "recursiveReadOnly");
  const errors = validateOptionalChoice(mountPropagation, propagationPath, propagations);
  if (mountPropagation === "Bidirectional" && container.securityContext?.privileged !== true) {
    errors.push(fieldForbidden(propagationPath, "Bidirectional mount propagation is available only to privileged containers"));
  }
  if (recursive === "Enabled" || recursive === "IfPossible") {
    if (readOnly !== true) errors.push(fieldForbidden(recursivePath, "may only be specified when readOnly is true"));
    if (mountPropagation !== undefined && mountPropagation !== "None")
      errors.push(fieldForbidden(recursivePath, "may only be specified when mountPropagation is None or not specified"));
    return errors;
  }
  return [...errors, ...validateOptionalChoice(recursive, recursivePath, recursiveReadOnly)];
}
