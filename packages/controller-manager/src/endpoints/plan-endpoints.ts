/** Desired Endpoints of a service, compared with the current ones. Writes nothing. */
import type { Endpoints, EndpointSubset, Pod, Service } from "@drover/api/core/v1";
import { definedOnly, jsonEqual, semanticEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { hasClusterIp } from "./ip-family.ts";
import { repack, subsetsOf } from "./subsets.ts";
import { triggerTimeAnnotation } from "./trigger-times.ts";
import { truncateSubsets } from "./truncate-subsets.ts";

export const headlessLabel = "service.kubernetes.io/headless";
const managedByLabel = "endpoints.kubernetes.io/managed-by";
const overCapacityAnnotation = "endpoints.kubernetes.io/over-capacity";
const manager = "endpoint-controller";

export interface EndpointsQuestion {
  readonly service: DeepReadonly<Service>;
  /** Pods that its selector selects. */
  readonly pods: readonly DeepReadonly<Pod>[];
  readonly current: DeepReadonly<Endpoints> | undefined;
  /** When they had to change; undefined when unknown. */
  readonly triggerTime: string | undefined;
}

/** Whether another party manages its endpoints: it has no selector, or is an ExternalName. */
export function isUnmanaged({ spec }: DeepReadonly<Service>): boolean {
  return spec?.type === "ExternalName" || spec?.selector === undefined;
}

/** Returns what to write; undefined when nothing changes. */
export function planEndpoints({ service, pods, current, triggerTime }: EndpointsQuestion): DeepReadonly<Endpoints> | undefined {
  const whole = subsetsOf(service, pods);
  const subsets = truncateSubsets(whole);
  const labels = { ...service.metadata.labels, [managedByLabel]: manager };
  if (hasClusterIp(service)) delete (labels as Record<string, string>)[headlessLabel];
  else Object.assign(labels, { [headlessLabel]: "" });
  const { [triggerTimeAnnotation]: _, [overCapacityAnnotation]: capacity, ...others } = current?.metadata.annotations ?? {};
  const wantedCapacity = subsets === whole ? undefined : "truncated";
  if (
    current !== undefined &&
    capacity === wantedCapacity &&
    jsonEqual(current.metadata.labels ?? {}, labels) &&
    sameSubsets(current.subsets ?? [], subsets)
  )
    return undefined;
  const annotations = {
    ...others,
    ...definedOnly({ [triggerTimeAnnotation]: triggerTime, [overCapacityAnnotation]: wantedCapacity }),
  };
  const { name = "", namespace = "" } = service.metadata;
  return { ...current, metadata: { ...(current?.metadata ?? { name, namespace }), labels, annotations }, subsets };
}

/** Ignores order and the resource versions of pods. */
export function sameSubsets(current: readonly DeepReadonly<EndpointSubset>[], wanted: readonly DeepReadonly<EndpointSubset>[]): boolean {
  return semanticEqual(repack(current.map(withoutVersions)), repack(wanted.map(withoutVersions)));
}

function withoutVersions({ addresses, notReadyAddresses, ...rest }: DeepReadonly<EndpointSubset>): DeepReadonly<EndpointSubset> {
  const plain = (list: typeof addresses): NonNullable<typeof addresses> =>
    (list ?? []).map(({ targetRef, ...address }) => {
      const { resourceVersion: _, ...reference } = targetRef ?? {};
      return { ...address, ...(targetRef === undefined ? {} : { targetRef: reference }) };
    });
  return { ...rest, addresses: plain(addresses), notReadyAddresses: plain(notReadyAddresses) };
}
