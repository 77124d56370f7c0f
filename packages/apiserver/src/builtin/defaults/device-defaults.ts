/** Defaults of ResourceClaim, ResourceClaimTemplate and ResourceSlice. */
import { formatTime } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type {
  DeviceRequest,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from "@drover/api/resource/v1";
import { elements } from "./elements.ts";

export function setResourceClaimDefaults(claim: ResourceClaim): void {
  setRequestDefaults(claim.spec.devices?.requests);
  for (const { tolerations } of elements(claim.status?.allocation?.devices?.results)) setTolerationDefaults(tolerations);
}

export function setResourceClaimTemplateDefaults(template: ResourceClaimTemplate): void {
  setRequestDefaults(template.spec.spec.devices?.requests);
}

/** Sets the time of new taints to now. */
export function setResourceSliceDefaults(slice: ResourceSlice, { clock }: { readonly clock: Pick<Clock, "now"> }): void {
  for (const { taints, nodeAllocatableResourceMappings } of elements(slice.spec.devices)) {
    for (const mapping of Object.values(nodeAllocatableResourceMappings ?? {})) mapping.allocationMultiplier ??= "1";
    for (const taint of elements(taints)) taint.timeAdded ??= formatTime(clock.now());
  }
}

function setRequestDefaults(requests: readonly DeviceRequest[] | undefined): void {
  for (const { exactly, firstAvailable } of elements(requests)) {
    if (exactly !== undefined) setCountDefaults(exactly);
    elements(firstAvailable).forEach(setCountDefaults);
  }
}

function setCountDefaults(request: DeviceSubRequest | ExactDeviceRequest): void {
  request.allocationMode ||= "ExactCount";
  if (request.allocationMode === "ExactCount") request.count ||= 1;
  setTolerationDefaults(request.tolerations);
}

function setTolerationDefaults(tolerations: readonly DeviceToleration[] | undefined): void {
  for (const toleration of elements(tolerations)) toleration.operator ||= "Equal";
}
