/** How resource claims count against quotas: their number, and the devices they ask for by device class. */
import { Quantity } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { DeviceSubRequest, ExactDeviceRequest, ResourceClaim } from "../resource/v1.ts";
import { addTo, raiseTo } from "./amounts.ts";
import type { Amounts } from "./amounts.ts";
import { countName, oneOfEach } from "./evaluator.ts";
import type { QuotaEvaluator } from "./evaluator.ts";

const resource = { group: "resource.k8s.io", resource: "resourceclaims" } as const;
const claimCount = countName(resource);
const perClass = ".deviceclass.resource.k8s.io/devices";
/** The name of a class as an extended resource of pods. */
const implicitPrefix = "requests.deviceclass.resource.kubernetes.io/";
/** The most devices that a request for all of them can get. */
const devicesMax = 32n;

export const deviceClaimEvaluator: QuotaEvaluator = {
  resource,
  handles: ({ subresource }) => subresource === "",
  matchingNames: (given) => given.filter((name) => name === claimCount || name.endsWith(perClass)),
  matchesScope: () => false,
  missing: () => undefined,
  usage: (object) => usage(object as DeepReadonly<ResourceClaim>),
};

function usage({ spec }: DeepReadonly<ResourceClaim>): Amounts {
  const byClass = new Map<string, Quantity>();
  for (const { firstAvailable = [], exactly } of spec?.devices?.requests ?? []) {
    // Of alternatives, the most of each class counts.
    const most = new Map<string, Quantity>();
    for (const alternative of firstAvailable) raiseTo(most, devicesOf(alternative));
    addTo(byClass, firstAvailable.length > 0 ? most : devicesOf(exactly));
  }
  const result = oneOfEach([claimCount]);
  for (const [deviceClass, amount] of byClass) {
    result.set(`${deviceClass}${perClass}`, amount);
    if (amount.sign() > 0) result.set(`${implicitPrefix}${deviceClass}`, amount);
  }
  return result;
}

function devicesOf(request: DeepReadonly<ExactDeviceRequest | DeviceSubRequest> | undefined): Amounts {
  if (request === undefined) return new Map();
  const { deviceClassName, allocationMode, count = 0 } = request;
  const exact = allocationMode === "ExactCount" ? BigInt(count) : 0n;
  return new Map([[deviceClassName, Quantity.of(allocationMode === "All" ? devicesMax : exact)]]);
}
