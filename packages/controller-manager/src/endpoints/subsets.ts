/**
 * Addresses and ports as Endpoints hold them: ports with the same addresses grouped, all in a stable order.
 *
 *     Service, Pods → subsetsOf → repack → truncateSubsets
 */
import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from "@drover/api/core/v1";
import { compareBytes, definedOnly } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isPodReady } from "../shared/pod-state.ts";
import { endpointHostname, isEndpoint } from "./endpoint-pod.ts";
import { familyOf, podIps, serviceFamilies } from "./ip-family.ts";
import type { IpFamily } from "./ip-family.ts";
import { findPort } from "./service-port.ts";

type Subset = DeepReadonly<EndpointSubset>;
type Address = DeepReadonly<EndpointAddress>;
type Port = DeepReadonly<EndpointPort>;

/** Returns the endpoints of a service among the pods it selects. */
export function subsetsOf(service: DeepReadonly<Service>, pods: readonly DeepReadonly<Pod>[]): readonly Subset[] {
  const { ports = [], publishNotReadyAddresses = false, clusterIP } = service.spec ?? {};
  return repack(
    pods.flatMap((pod): readonly Subset[] => {
      const address = isEndpoint(pod, { terminating: publishNotReadyAddresses }) ? addressOf(service, pod) : undefined;
      if (address === undefined) return [];
      const place = publishNotReadyAddresses || isPodReady(pod) ? "addresses" : "notReadyAddresses";
      // Without ports, only a headless service has endpoints: names to addresses.
      if (ports.length === 0) return clusterIP === "None" ? [{ [place]: [address] }] : [];
      return ports.flatMap((port) => {
        const number = findPort(pod, port);
        return number === undefined ? [] : [{ [place]: [address], ports: [portOf(port, number)] }];
      });
    }),
  );
}

/** Lists each address once per port; one that is both ready and not ready counts as not ready. */
export function repack(subsets: readonly Subset[]): readonly Subset[] {
  const byPort = new Map<
    string,
    { readonly port: Port | undefined; readonly addresses: Map<string, { readonly address: Address; readonly isReady: boolean }> }
  >();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = portKey(port);
      const entry = byPort.get(key) ?? { port, addresses: new Map() };
      byPort.set(key, entry);
      for (const address of addresses)
        if (!entry.addresses.has(addressKey(address))) entry.addresses.set(addressKey(address), { address, isReady: true });
      for (const address of notReadyAddresses) entry.addresses.set(addressKey(address), { address, isReady: false });
    }
  }
  return grouped([...byPort.values()]);
}

function grouped(
  entries: readonly {
    readonly port: Port | undefined;
    readonly addresses: ReadonlyMap<string, { readonly address: Address; readonly isReady: boolean }>;
  }[],
): readonly Subset[] {
  const groups = new Map<string, { readonly ports: Port[]; readonly ready: readonly Address[]; readonly notReady: readonly Address[] }>();
  for (const { port, addresses } of entries) {
    const sorted = [...addresses].toSorted(([a], [b]) => compareBytes(a, b));
    const key = JSON.stringify(sorted.map(([name, { isReady }]) => [name, isReady]));
    const pick = (isReady: boolean): readonly Address[] =>
      sorted.filter(([, one]) => one.isReady === isReady).map(([, one]) => one.address);
    const group = groups.get(key) ?? { ports: [], ready: pick(true), notReady: pick(false) };
    groups.set(key, group);
    if (port !== undefined) group.ports.push(port);
  }
  return Array.from(groups.values(), ({ ports, ready, notReady }): Subset => ({
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
    ...(ports.length === 0 ? {} : { ports: ports.toSorted((a, b) => compareBytes(portKey(a), portKey(b))) }),
  })).toSorted((a, b) => compareBytes(JSON.stringify(a.ports ?? []), JSON.stringify(b.ports ?? [])));
}

const addressKey = ({ ip, targetRef }: Address): string => `${ip} ${targetRef?.uid ?? ""}`;
const portKey = (port: Port | undefined): string =>
  port === undefined ? "" : JSON.stringify([port.name ?? "", port.protocol ?? "TCP", port.port, port.appProtocol ?? ""]);

/** Undefined when the pod has no address of the service's family. */
function addressOf(service: DeepReadonly<Service>, pod: DeepReadonly<Pod>): Address | undefined {
  const [first = ""] = podIps(pod);
  const family: IpFamily | undefined = serviceFamilies(service)[0] ?? familyOf(first);
  const ip = podIps(pod).find((one) => familyOf(one) === family);
  if (ip === undefined) return undefined;
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  const hostname = endpointHostname(pod, service);
  const nodeName = pod.spec?.nodeName ?? "";
  return {
    ip,
    ...definedOnly({ hostname }),
    ...(nodeName === "" ? {} : { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

function portOf(
  { name = "", protocol = "TCP", appProtocol }: NonNullable<NonNullable<DeepReadonly<Service>["spec"]>["ports"]>[number],
  port: number,
): Port {
  return { ...(name === "" ? {} : { name }), port, protocol, ...definedOnly({ appProtocol }) };
}
