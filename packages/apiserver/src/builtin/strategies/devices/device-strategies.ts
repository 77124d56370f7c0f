/**
 * The strategies of DeviceClass, ResourceClaim, ResourceClaimTemplate and ResourceSlice: required names and immutable fields.
 * Selectors are not compiled.
 */
import type {
  DeviceClaim,
  DeviceClass,
  DeviceRequest,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from "@drover/api/resource/v1";
import { checkSubdomainName, fieldDuplicate, fieldInvalid, fieldRequired, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { immutableText, validateLabelText, validateRequiredText } from "../checked-field.ts";
import { unsupportedName } from "../named-text.ts";
import { repeatsIn } from "../repeats.ts";
import { validateResourceSlice } from "./resource-slice.ts";

/** The strategy of DeviceClass. */
export const deviceClassStrategy: Strategy<DeviceClass> = {};

/** The strategy of ResourceClaim. */
export const resourceClaimStrategy: Strategy<ResourceClaim> = {
  validate: ({ spec }) => validateDevices(spec.devices, "spec.devices"),
  validateUpdate: (object, old) => validateSameSpec(object.spec, old.spec),
};

/** The strategy of ResourceClaimTemplate. */
export const resourceClaimTemplateStrategy: Strategy<ResourceClaimTemplate> = {
  validate: ({ spec }) => validateDevices(spec.spec.devices, "spec.spec.devices"),
  validateUpdate: (object, old) => validateSameSpec(object.spec, old.spec),
};

/** The strategy of ResourceSlice. */
export const resourceSliceStrategy: Strategy<ResourceSlice> = {
  validate: ({ spec }) => validateResourceSlice(spec),
  validateUpdate: ({ spec }, old) => validateResourceSlice(spec, old.spec),
};

function validateSameSpec(spec: unknown, old: unknown): FieldError[] {
  return semanticEqual(spec, old) ? [] : [fieldInvalid("spec", spec, immutableText)];
}

function validateDevices(devices: DeepReadonly<DeviceClaim> | undefined, path: FieldPath): FieldError[] {
  const requests = devices?.requests ?? [];
  const repeats = repeatsIn(requests.map(({ name }) => name));
  return requests.flatMap((request, index) => [
    ...validateRequest(request, `${path}.requests[${index}]`),
    ...(repeats.has(index) ? [fieldDuplicate(`${path}.requests[${index}].name`, request.name)] : []),
  ]);
}

function validateRequest({ name, exactly, firstAvailable = [] }: DeepReadonly<DeviceRequest>, path: FieldPath): FieldError[] {
  const errors = validateLabelText(name, `${path}.name`);
  const exactlyOne = "exactly one of `exactly` or `firstAvailable` is required";
  if (exactly === undefined && firstAvailable.length === 0) return [...errors, fieldRequired(path, exactlyOne)];
  if (exactly !== undefined && firstAvailable.length > 0)
    return [...errors, fieldInvalid(path, null, `${exactlyOne}, but multiple fields are set`)];
  return [
    ...errors,
    ...(exactly === undefined ? [] : validateExact(exactly, `${path}.exactly`)),
    ...firstAvailable.flatMap((choice, index) => [
      ...validateLabelText(choice.name, `${path}.firstAvailable[${index}].name`),
      ...validateExact(choice, `${path}.firstAvailable[${index}]`),
    ]),
  ];
}

function validateExact(
  { deviceClassName, allocationMode, count = 0 }: DeepReadonly<Pick<ExactDeviceRequest, "deviceClassName" | "allocationMode" | "count">>,
  path: FieldPath,
): FieldError[] {
  const errors = validateRequiredText(deviceClassName, `${path}.deviceClassName`, checkSubdomainName);
  switch (allocationMode) {
    case "All":
      return count === 0 ? errors : [...errors, fieldInvalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'")];
    case "ExactCount":
      return count > 0 ? errors : [...errors, fieldInvalid(`${path}.count`, count, "must be greater than zero")];
    case undefined:
    default:
      return [...errors, unsupportedName(`${path}.allocationMode`, allocationMode ?? "", ["All", "ExactCount"])];
  }
}
