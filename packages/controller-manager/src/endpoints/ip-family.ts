/** IP family of an address, a service and a pod. */
import type { Pod, Service } from "@drover/api/core/v1";
import { isIpv4, parseIpAddress } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

export type IpFamily = "IPv4" | "IPv6";

/** Undefined for text that is not an address. */
export function familyOf(ip: string): IpFamily | undefined {
  const address = parseIpAddress(ip);
  if (address === undefined) return undefined;
  return isIpv4(address) ? "IPv4" : "IPv6";
}

/** Whether the service has a cluster IP. A headless service has none and resolves to its pods. */
export function hasClusterIp({ spec }: DeepReadonly<Service>): boolean {
  return spec?.clusterIP !== undefined && spec.clusterIP !== "" && spec.clusterIP !== "None";
}

/** Returns the service's families, or that of its cluster IP; empty when it has neither. */
export function serviceFamilies(service: DeepReadonly<Service>): readonly IpFamily[] {
  const said = service.spec?.ipFamilies ?? [];
  if (said.length > 0) return said.filter((family) => family === "IPv4" || family === "IPv6");
  const family = hasClusterIp(service) ? familyOf(service.spec?.clusterIP ?? "") : undefined;
  return family === undefined ? [] : [family];
}

/** Returns all addresses of a pod, the primary one first. */
export function podIps({ status }: DeepReadonly<Pod>): readonly string[] {
  const all = (status?.podIPs ?? []).map(({ ip }) => ip);
  return all.length > 0 || status?.podIP === undefined || status.podIP === "" ? all : [status.podIP];
}
