/** Predicates on Services. */
import type { Service, ServiceSpec } from "@drover/api/core/v1";
import { isIpv4, parseIpAddress } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** A read-only Service. */
export type ServiceView = DeepReadonly<Service>;

export type IpFamily = "IPv4" | "IPv6";

/** The cluster IP of a headless Service. */
export const noClusterIp = "None";

/** Returns the spec, which is always set after decoding. */
export function specOf(service: ServiceView): DeepReadonly<ServiceSpec> {
  return service.spec ?? {};
}

export function clusterIpsOf(service: ServiceView): readonly string[] {
  return specOf(service).clusterIPs ?? [];
}

export function familiesOf(service: ServiceView): readonly string[] {
  return specOf(service).ipFamilies ?? [];
}

export function isExternalName(service: ServiceView): boolean {
  return specOf(service).type === "ExternalName";
}

export function isHeadless(service: ServiceView): boolean {
  const addresses = clusterIpsOf(service);
  return addresses.length === 1 && addresses[0] === noClusterIp;
}

export function isLoadBalancer(service: ServiceView): boolean {
  return specOf(service).type === "LoadBalancer";
}

/** Whether its ports may have node ports. */
export function hasNodePorts(service: ServiceView): boolean {
  return specOf(service).type === "NodePort" || isLoadBalancer(service);
}

/** Whether ports without a node port get one. */
export function wantsNodePorts(service: ServiceView): boolean {
  return specOf(service).type === "NodePort" || (isLoadBalancer(service) && specOf(service).allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckPort(service: ServiceView): boolean {
  return isLoadBalancer(service) && specOf(service).externalTrafficPolicy === "Local";
}

export function isExternallyAccessible(service: ServiceView): boolean {
  const { type, externalIPs = [] } = specOf(service);
  return hasNodePorts(service) || (type === "ClusterIP" && externalIPs.length > 0);
}

export function nodePortsOf(service: ServiceView): number[] {
  return (specOf(service).ports ?? []).map(({ nodePort = 0 }) => nodePort).filter((port) => port !== 0);
}

export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}

/** Returns the family of a valid address. */
export function familyOf(address: string): IpFamily {
  const parsed = parseIpAddress(address);
  return parsed !== undefined && !isIpv4(parsed) ? "IPv6" : "IPv4";
}
