/** Warnings about Services. */
import { cidrWarnings, ipWarnings } from "@drover/machinery";
import { clusterIpsOf, isExternalName, noClusterIp, specOf } from "./service-shape.ts";
import type { ServiceView } from "./service-shape.ts";

/** Returns kube-apiserver's warnings, in its order. */
export function serviceWarnings(service: ServiceView): string[] {
  const {
    type,
    clusterIP = "",
    externalIPs = [],
    externalName = "",
    loadBalancerIP = "",
    loadBalancerSourceRanges = [],
    sessionAffinity,
    trafficDistribution,
  } = specOf(service);
  const isHeadless = type === "ClusterIP" && clusterIP === noClusterIp;
  const warnings: string[] = [];
  if (Object.hasOwn(service.metadata.annotations ?? {}, "service.kubernetes.io/topology-aware-hints")) {
    warnings.push(
      "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
    );
  }
  if (clusterIP !== "" && clusterIP !== noClusterIp)
    warnings.push(...clusterIpsOf(service).flatMap((address, index) => ipWarnings(address, `spec.clusterIPs[${index}]`)));
  if (isHeadless) {
    if (loadBalancerIP !== "") warnings.push("spec.loadBalancerIP is ignored for headless services");
    if (externalIPs.length > 0) warnings.push("spec.externalIPs is ignored for headless services");
    if (sessionAffinity !== "None") warnings.push("spec.SessionAffinity is ignored for headless services");
  }
  warnings.push(...externalIPs.flatMap((address, index) => ipWarnings(address, `spec.externalIPs[${index}]`)));
  if (externalIPs.length > 0 && !isHeadless && !isExternalName(service))
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  if (loadBalancerIP !== "") warnings.push(...ipWarnings(loadBalancerIP, "spec.loadBalancerIP"));
  warnings.push(...loadBalancerSourceRanges.flatMap((range, index) => cidrWarnings(range, `spec.loadBalancerSourceRanges[${index}]`)));
  if (isExternalName(service) && externalIPs.length > 0) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!isExternalName(service) && externalName !== "") warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (trafficDistribution === "PreferClose") warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}
