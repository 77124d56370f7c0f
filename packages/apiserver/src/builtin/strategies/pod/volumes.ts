/**
 * Validates the volumes of a pod: each has a name and exactly one source.
 *
 *     spec.volumes → errors, and the volumes that containers can mount
 */
import {
  checkSubdomainName,
  fieldChild,
  fieldDuplicate,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  Quantity,
  quoteGo,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Volume } from "@drover/api/core/v1";
import { validateLabelText } from "../checked-field.ts";
import type { PodValidation } from "./pod-validation.ts";
import { volumeSources } from "./volume-sources.ts";

/** Volumes by name. Invalid ones are missing, so mounting them is another error. */
export type MountableVolumes = ReadonlyMap<string, Volume>;

/** Returns the errors, and the volumes that can be mounted. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  path: FieldPath,
  rules: PodValidation,
): { readonly errors: FieldError[]; readonly mountable: MountableVolumes } {
  const errors: FieldError[] = [];
  const mountable = new Map<string, Volume>();
  const { podName = "" } = rules;
  const claimsToCome = new Set(
    podName === "" ? [] : (volumes ?? []).filter(({ ephemeral }) => ephemeral !== undefined).map(({ name }) => `${podName}-${name}`),
  );
  for (const [index, volume] of (volumes ?? []).entries()) {
    const volumePath = fieldIndex(path, index);
    const namePath = fieldChild(volumePath, "name");
    const found = [
      ...validateSources(volume, volumePath, rules),
      ...(volume.name === "" ? [fieldRequired(namePath)] : validateLabelText(volume.name, namePath)),
      ...(mountable.has(volume.name) ? [fieldDuplicate(namePath, volume.name)] : []),
    ];
    if (found.length === 0) mountable.set(volume.name, volume);
    errors.push(...found);
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (claimName !== undefined && claimsToCome.has(claimName)) {
      errors.push(
        fieldInvalid(
          fieldChild(volumePath, "persistentVolumeClaim.claimName"),
          claimName,
          "must not reference a PVC that gets created for an ephemeral volume",
        ),
      );
    }
  }
  return { errors, mountable };
}

function validateSources(volume: Volume, path: FieldPath, rules: PodValidation): FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  const { sizeLimit } = volume.emptyDir ?? {};
  if (volume.emptyDir !== undefined) count++;
  if (sizeLimit !== undefined && Quantity.fromJson(sizeLimit).sign() < 0) {
    errors.push(fieldForbidden(fieldChild(path, "emptyDir.sizeLimit"), "SizeLimit field must be a valid resource quantity"));
  }
  for (const { field, shownAs = field, validate } of volumeSources) {
    const source = volume[field];
    if (source === undefined) continue;
    if (count > 0) {
      errors.push(fieldForbidden(fieldChild(path, shownAs), "may not specify more than 1 volume type"));
    } else {
      count++;
      errors.push(...validate(volume, path, rules));
      if (field === "ephemeral") errors.push(...validateClaimName(volume.name, path, rules));
    }
    if (field === "iscsi") errors.push(...validateInitiator(volume, path));
  }
  return count === 0 ? [...errors, fieldRequired(path, "must specify a volume type")] : errors;
}

/** The claim of an ephemeral volume is named after the pod and the volume. */
function validateClaimName(name: string, path: FieldPath, { podName = "" }: PodValidation): FieldError[] {
  if (podName === "" || name === "") return [];
  const claim = `${podName}-${name}`;
  return checkSubdomainName(claim).map((problem) => fieldInvalid(fieldChild(path, "name"), name, `PVC name ${quoteGo(claim)}: ${problem}`));
}

function validateInitiator({ name, iscsi }: Volume, path: FieldPath): FieldError[] {
  if (iscsi?.initiatorName === undefined || `${name}:${iscsi.targetPortal}`.length <= 64) return [];
  return [
    fieldInvalid(
      fieldChild(path, "name"),
      name,
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.",
    ),
  ];
}
