/** Addresses of a load balancer, sorted and unique; "" without any. */
import { compareBytes } from "@drover/machinery";

interface IngressPoint {
  readonly ip?: string;
  readonly hostname?: string;
}

export function loadBalancerText(ingress: readonly IngressPoint[] | undefined): string {
  const places = (ingress ?? []).map(({ ip, hostname }) => ip || hostname || "").filter((place) => place !== "");
  return [...new Set(places)].toSorted(compareBytes).join(",");
}
