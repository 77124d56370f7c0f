/** Validates a ResourceSlice: its pool, where its devices are, its shared counters, and each device. */
import type { ResourceSlice } from "@drover/api/resource/v1";
import { errorsOfEach, fieldInvalid, fieldRequired, fieldTooLong, fieldTooMany } from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { NodeSelector } from "@drover/api/core/v1";
import { immutableText, validateSubdomain } from "../checked-field.ts";
import { invalidInternal } from "../internal/internal-field.ts";
import { validateNodeSelector } from "../pod/node-selector.ts";
import { duplicatesOf } from "../repeats.ts";
import { validateCounterSets } from "./counters.ts";
import { validateDevice } from "./device.ts";
import { validateDriverName } from "./driver-name.ts";

type Spec = DeepReadonly<ResourceSlice["spec"]>;

const devicesMax = 128;
/** With taints or counters a slice would become too large. */
const elaborateDevicesMax = 64;
const poolNameBytesMax = 253;

/** Validates the spec of a new slice, or of a changed one. */
export function validateResourceSlice(spec: Spec, old?: Spec): FieldError[] {
  return [
    ...validateDriverName(spec.driver, "spec.driver"),
    ...validatePool(spec.pool),
    ...(old === undefined ? [] : validateSamePlace(spec, old)),
    ...validatePlaces(spec),
    ...(spec.sharedCounters !== undefined && spec.devices !== undefined
      ? [fieldInvalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")]
      : []),
    ...validateDevices(spec, old),
    ...validateCounterSets(spec.sharedCounters ?? [], "spec.sharedCounters"),
  ];
}

function validatePool({ name, generation, resourceSliceCount }: Spec["pool"]): FieldError[] {
  const path = "spec.pool.name";
  const names = name === "" ? [] : name.split("/");
  return [
    ...(name === "" ? [fieldRequired(path)] : []),
    ...(name.length > poolNameBytesMax ? [fieldTooLong(path, poolNameBytesMax)] : []),
    ...errorsOfEach(names, (part) => validateSubdomain(part, path)),
    ...(resourceSliceCount > 0 ? [] : [fieldInvalid("spec.pool.resourceSliceCount", resourceSliceCount, "must be greater than zero")]),
    ...(generation < 0 ? [fieldInvalid("spec.pool.generation", generation, "must be greater than or equal to zero")] : []),
  ];
}

function validateSamePlace(spec: Spec, old: Spec): FieldError[] {
  return [
    ...(spec.pool.name === old.pool.name ? [] : [fieldInvalid("spec.pool.name", spec.pool.name, immutableText)]),
    ...(spec.driver === old.driver ? [] : [fieldInvalid("spec.driver", spec.driver, immutableText)]),
    ...(spec.nodeName === old.nodeName ? [] : [fieldInvalid("spec.nodeName", spec.nodeName ?? null, immutableText)]),
  ];
}

/** Exactly one field says where the devices are. */
function validatePlaces({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: Spec): FieldError[] {
  const unsetOrTrue = "must be either unset or set to true";
  const places = [
    ...(nodeName === undefined || nodeName === "" ? [] : ["`nodeName`"]),
    ...(nodeSelector === undefined ? [] : ["`nodeSelector`"]),
    ...(allNodes === true ? ["`allNodes`"] : []),
    ...(perDeviceNodeSelection === true ? ["`perDeviceNodeSelection`"] : []),
  ];
  const one = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  return [
    ...(nodeName === "" ? [fieldInvalid("spec.nodeName", nodeName, "must be either unset or set to a non-empty string")] : []),
    ...(nodeName === undefined || nodeName === "" ? [] : validateSubdomain(nodeName, "spec.nodeName")),
    ...(nodeSelector === undefined ? [] : validateOneTerm(nodeSelector)),
    ...(allNodes === false ? [fieldInvalid("spec.allNodes", allNodes, unsetOrTrue)] : []),
    ...(perDeviceNodeSelection === false ? [fieldInvalid("spec.perDeviceNodeSelection", perDeviceNodeSelection, unsetOrTrue)] : []),
    ...(places.length === 0 ? [fieldRequired("spec", one)] : []),
    ...(places.length > 1 ? [fieldInvalid("spec", `{${places.join(", ")}}`, `${one}, but multiple fields are set`)] : []),
  ];
}

function validateOneTerm(selector: DeepReadonly<NodeSelector>): FieldError[] {
  const path = "spec.nodeSelector";
  const termsPath = `${path}.nodeSelectorTerms`;
  // A required list may have been sent as null.
  const given = selector.nodeSelectorTerms ?? null;
  const terms = given ?? [];
  const one = "must have exactly one node selector term";
  const wrong = terms.length === 0 ? fieldInvalid(termsPath, given, one) : invalidInternal(termsPath, "[]NodeSelectorTerm", terms, one);
  return [...validateNodeSelector(selector as NodeSelector, path), ...(terms.length === 1 ? [] : [wrong])];
}

function validateDevices(spec: Spec, old: Spec | undefined): FieldError[] {
  const path = "spec.devices";
  const devices = spec.devices ?? [];
  const isElaborate = devices.some(({ taints = [], consumesCounters = [] }) => taints.length > 0 || consumesCounters.length > 0);
  const max = isElaborate ? elaborateDevicesMax : devicesMax;
  if (devices.length > max) return [fieldTooMany(path, devices.length, max)];
  const isPerDevice = spec.perDeviceNodeSelection === true;
  const oldDevices = new Map((old?.devices ?? []).map((device) => [device.name, device]));
  return [
    ...errorsOfEach(devices, (device, index) =>
      validateDevice(device, `${path}[${index}]`, { isPerDevice, old: oldDevices.get(device.name) }),
    ),
    ...duplicatesOf(
      devices.map(({ name }) => name),
      path,
    ),
  ];
}
