/** IPv4 or IPv6: of an address, of a service, of a pod. */
import type { Pod, Service } from "@drover/api/core/v1";
import { isIpv4, parseIpAddress } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

export type IpFamily = "IPv4" | "IPv6";

/** Undefined for what is no address. */
export function familyOf(ip: string): IpFamily | undefined {
  const address = parseIpAddress(ip);
  if (address === undefined) return undefined;
  return isIpv4(address) ? "IPv4" : "IPv6";
}

/** Whether it has an address of its own in the cluster. One that is headless has none, and leads to its pods directly. */
export function hasClusterIp({ spec }: DeepReadonly<Service>): boolean {
  return spec?.clusterIP !== undefined && spec.clusterIP !== "" && spec.clusterIP !== "None";
}

/** The families it says, or that of its address; none when neither says anything. */
export function serviceFamilies(service: DeepReadonly<Service>): readonly IpFamily[] {
  const said = service.spec?.ipFamilies ?? [];
  if (said.length > 0) return said.filter((family) => family === "IPv4" || family === "IPv6");
  const family = hasClusterIp(service) ? familyOf(service.spec?.clusterIP ?? "") : undefined;
  return family === undefined ? [] : [family];
}

/** All addresses of a pod, its first one first. */
export function podIps({ status }: DeepReadonly<Pod>): readonly string[] {
  const all = (status?.podIPs ?? []).map(({ ip }) => ip);
  return all.length > 0 || status?.podIP === undefined || status.podIP === "" ? all : [status.podIP];
}
