/** Validates one device of a ResourceSlice: attributes, capacities, taints, counters, the node it is on. */
import type { Device, DeviceAttribute, DeviceCapacity, DeviceTaint } from "@drover/api/resource/v1";
import type { NodeSelector } from "@drover/api/core/v1";
import {
  checkCIdentifier,
  checkLabelValue,
  errorsOfEach,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldKey,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  semanticEqual,
  validateLabelName,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import { problemsOf, validateLabelText, validateSubdomain } from "../checked-field.ts";
import { unsupportedName } from "../named-text.ts";
import { validateNodeSelector } from "../pod/node-selector.ts";
import { duplicatesOf, repeatsIn } from "../repeats.ts";
import { validateConsumptions } from "./counters.ts";
import { validateDriverName } from "./driver-name.ts";
import { validateRequestPolicy } from "./request-policy.ts";

export interface DevicePlace {
  /** Whether each device of the slice says on which nodes it is. */
  readonly isPerDevice: boolean;
  /** The device of this name before the update. */
  readonly old: DeepReadonly<Device> | undefined;
}

const namesMax = 32;
const valuesMax = 48;
const identifierBytesMax = 32;
const domainBytesMax = 63;
const keyBytesMax = domainBytesMax + 1 + identifierBytesMax;
const textBytesMax = 64;
const taintsMax = 16;
const conditionsMax = 4;
const effects: readonly string[] = ["NoExecute", "NoSchedule", "None"];

/** Returns the errors of a device. */
export function validateDevice(device: DeepReadonly<Device>, path: FieldPath, { isPerDevice, old }: DevicePlace): FieldError[] {
  const { attributes = {}, capacity = {}, taints = [], consumesCounters = [] } = device;
  const named = Object.keys(attributes).length + Object.keys(capacity).length;
  const values = Object.values(attributes).reduce((sum, attribute) => sum + Math.max(1, listedIn(attribute)), 0);
  return [
    ...validateLabelText(device.name, `${path}.name`),
    ...(named > namesMax ? [fieldInvalid(path, named, `the total number of attributes and capacities must not exceed ${namesMax}`)] : []),
    ...(values > valuesMax ? [fieldInvalid(path, values, `the total number of attribute values must not exceed ${valuesMax}`)] : []),
    ...validateNamed(attributes, `${path}.attributes`, validateAttribute),
    ...validateNamed(capacity, `${path}.capacity`, (one, at) => validateCapacity(one, at, device.allowMultipleAllocations === true)),
    ...(old !== undefined && semanticEqual(old.taints, device.taints) ? [] : validateTaints(taints, `${path}.taints`)),
    ...validateConsumptions(consumesCounters, `${path}.consumesCounters`),
    ...(isPerDevice ? validateOwnPlace(device, path) : validateNoPlace(device, path)),
    ...validateBinding(device, path),
  ];
}

const listedIn = ({ bools = [], ints = [], strings = [], versions = [] }: DeepReadonly<DeviceAttribute>): number =>
  bools.length + ints.length + strings.length + versions.length;

function validateNamed<T>(
  entries: Readonly<Record<string, T>>,
  path: FieldPath,
  validate: (value: T, path: FieldPath) => FieldError[],
): FieldError[] {
  return errorsOfEach(Object.entries(entries), ([name, value]) => [
    ...validateName(name, path),
    ...validate(value, fieldKey(path, shortened(name))),
  ]);
}

const shortened = (name: string): string =>
  name.length <= keyBytesMax
    ? name
    : `${name.slice(0, Math.floor((keyBytesMax - 2) / 2))}...${name.slice(name.length - Math.floor((keyBytesMax - 3) / 2))}`;

/** An identifier, perhaps after a domain and a slash. Like kube-apiserver, accepts anything with more slashes. */
function validateName(name: string, path: FieldPath): FieldError[] {
  const [first = "", second, ...more] = name.split("/");
  if (second === undefined) return validateIdentifier(first, path);
  if (more.length > 0) return [];
  return [
    ...(first === "" ? [fieldInvalid(path, "", "the domain must not be empty")] : validateDriverName(first, path)),
    ...(second === "" ? [fieldInvalid(path, "", "the name must not be empty")] : validateIdentifier(second, path)),
  ];
}

function validateIdentifier(id: string, path: FieldPath): FieldError[] {
  return [
    ...(id.length > identifierBytesMax ? [fieldTooLong(path, identifierBytesMax)] : []),
    ...problemsOf(path, id, checkCIdentifier(id)),
  ];
}

function validateAttribute(attribute: DeepReadonly<DeviceAttribute>, path: FieldPath): FieldError[] {
  const { string, version, strings = [], versions = [] } = attribute;
  const given = Object.values(attribute).filter((value) => value !== undefined).length;
  return [
    ...(string === undefined ? [] : validateTextLength(string, `${path}.string`)),
    ...(version === undefined ? [] : validateVersion(version, `${path}.version`)),
    ...errorsOfEach(strings, (text, index) => validateTextLength(text, `${path}.strings[${index}]`)),
    ...errorsOfEach(versions, (text, index) => validateVersion(text, `${path}.versions[${index}]`)),
    ...(given === 1 ? [] : [fieldInvalid(path, given === 0 ? "" : attribute, "exactly one value must be specified")]),
  ];
}

const validateTextLength = (text: string, path: FieldPath): FieldError[] =>
  new TextEncoder().encode(text).length > textBytesMax ? [fieldTooLong(path, textBytesMax)] : [];

const number = "(?:0|[1-9][0-9]*)";
const label = `(?:${number}|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)`;
/** A version as semver.org defines it: three numbers, perhaps labels of a pre-release and of a build. */
const versionPattern = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-${label}(?:\\.${label})*)?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

function validateVersion(version: string, path: FieldPath): FieldError[] {
  return [
    ...(versionPattern.test(version) ? [] : [fieldInvalid(path, version, "must be a string compatible with semver.org spec 2.0.0")]),
    ...validateTextLength(version, path),
  ];
}

function validateCapacity({ value, requestPolicy }: DeepReadonly<DeviceCapacity>, path: FieldPath, isShared: boolean): FieldError[] {
  if (requestPolicy === undefined) return [];
  return isShared
    ? validateRequestPolicy(value, requestPolicy, `${path}.requestPolicy`)
    : [fieldForbidden(`${path}.requestPolicy`, "allowMultipleAllocations must be true")];
}

function validateTaints(taints: DeepReadonly<DeviceTaint[]>, path: FieldPath): FieldError[] {
  if (taints.length > taintsMax) return [fieldTooMany(path, taints.length, taintsMax)];
  return errorsOfEach(taints, ({ key, value = "", effect }, index) => {
    const at = `${path}[${index}]`;
    const given: string = effect;
    return [
      ...validateLabelName(key, `${at}.key`),
      ...(value === "" ? [] : problemsOf(`${at}.value`, value, checkLabelValue(value))),
      ...(given === "" ? [fieldRequired(`${at}.effect`)] : []),
      ...(given === "" || effects.includes(given) ? [] : [unsupportedName(`${at}.effect`, given, effects)]),
    ];
  });
}

/** Exactly one field says on which nodes the device is. */
function validateOwnPlace({ nodeName, nodeSelector, allNodes }: DeepReadonly<Device>, path: FieldPath): FieldError[] {
  const one =
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  const places = [
    ...(nodeName === undefined || nodeName === "" ? [] : ["`nodeName`"]),
    ...(nodeSelector === undefined ? [] : ["`nodeSelector`"]),
    ...(allNodes === true ? ["`allNodes`"] : []),
  ];
  return [
    ...(nodeName === "" ? [fieldInvalid(`${path}.nodeName`, nodeName, "must not be empty")] : []),
    ...(nodeName === undefined || nodeName === "" ? [] : validateSubdomain(nodeName, `${path}.nodeName`)),
    ...(nodeSelector === undefined ? [] : validateNodeSelector(nodeSelector as NodeSelector, `${path}.nodeSelector`)),
    ...(allNodes === false ? [fieldInvalid(`${path}.allNodes`, allNodes, "must be either unset or set to true")] : []),
    ...(places.length === 0 ? [fieldRequired(path, one)] : []),
    ...(places.length > 1 ? [fieldInvalid(path, `{${places.join(", ")}}`, one)] : []),
  ];
}

function validateNoPlace({ nodeName, nodeSelector, allNodes }: DeepReadonly<Device>, path: FieldPath): FieldError[] {
  if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return [];
  const detail =
    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  return [fieldInvalid(path, null, detail)];
}

/** Conditions that must hold before a pod is bound, and those that end the attempt; either needs the other. */
function validateBinding(device: DeepReadonly<Device>, path: FieldPath): FieldError[] {
  const { bindingConditions: needed = [], bindingFailureConditions: failures = [] } = device;
  const names = (list: readonly string[], at: FieldPath): FieldError[] =>
    list.length > conditionsMax
      ? [fieldTooMany(at, list.length, conditionsMax)]
      : errorsOfEach(list, (name, index) => validateLabelName(name, `${at}[${index}]`));
  const [neededAt, failuresAt] = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`];
  const repeats = repeatsIn(failures);
  const neededNames = new Set(needed);
  return [
    ...names(needed, neededAt),
    ...names(failures, failuresAt),
    ...duplicatesOf(needed, neededAt),
    ...errorsOfEach(failures, (name, index) => [
      ...(repeats.has(index) ? [fieldDuplicate(`${failuresAt}[${index}]`, name)] : []),
      ...(neededNames.has(name)
        ? [fieldInvalid(`${failuresAt}[${index}]`, name, "bindingFailureConditions must not overlap with bindingConditions")]
        : []),
    ]),
    ...(needed.length === 0 && failures.length > 0
      ? [fieldInvalid(neededAt, null, "bindingConditions are required to use bindingFailureConditions")]
      : []),
    ...(failures.length === 0 && needed.length > 0
      ? [fieldInvalid(failuresAt, null, "bindingFailureConditions are required to use bindingConditions")]
      : []),
  ];
}
