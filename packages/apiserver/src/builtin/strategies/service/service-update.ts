/**
 * Updates of Services: allocated values that are not repeated are kept, and those that the new type does not use are dropped.
 *
 *     what was sent → keepAllocated → alignClusterIps → … → dropUnused → validation
 */
import type { Service } from "@drover/api/core/v1";
import { semanticEqual } from "@drover/machinery";
import {
  clusterIpsOf,
  familiesOf,
  hasNodePorts,
  isExternallyAccessible,
  isExternalName,
  isLoadBalancer,
  needsHealthCheckPort,
  nodePortsOf,
  sameTexts,
  specOf,
  wantsNodePorts,
} from "./service-shape.ts";
import type { ServiceView } from "./service-shape.ts";

/** A client that resends its original object keeps the allocated values. */
export function keepAllocated(service: Service, old: ServiceView): void {
  const spec = (service.spec ??= {});
  const oldSpec = specOf(old);
  if (!isExternalName(old) && !isExternalName(service)) {
    if ((spec.clusterIP ?? "") === "" && oldSpec.clusterIP !== undefined) spec.clusterIP = oldSpec.clusterIP;
    if (clusterIpsOf(service).length === 0 && clusterIpsOf(old).length > 0) spec.clusterIPs = [...clusterIpsOf(old)];
  }
  if (wantsNodePorts(old) && wantsNodePorts(service)) keepNodePorts(service, old);
  if (
    needsHealthCheckPort(old) &&
    needsHealthCheckPort(service) &&
    (spec.healthCheckNodePort ?? 0) === 0 &&
    oldSpec.healthCheckNodePort !== undefined
  ) {
    spec.healthCheckNodePort = oldSpec.healthCheckNodePort;
  }
}

/** Ports match by name. A node port that another port now requests is not kept. */
function keepNodePorts(service: Service, old: ServiceView): void {
  const now = new Set(nodePortsOf(service));
  const byName = new Map((specOf(old).ports ?? []).map(({ name = "", nodePort = 0 }) => [name, nodePort]));
  for (const port of service.spec?.ports ?? []) {
    if ((port.nodePort ?? 0) !== 0) continue;
    const before = byName.get(port.name ?? "") ?? 0;
    if (before !== 0 && !now.has(before)) port.nodePort = before;
  }
}

/** Synchronizes `clusterIPs` with `clusterIP` for clients that know only the older field. */
export function alignClusterIps(service: Service, old?: ServiceView): void {
  const spec = (service.spec ??= {});
  const { clusterIP = "" } = spec;
  if (old === undefined) {
    if (clusterIP !== "" && clusterIpsOf(service).length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const { clusterIP: oldClusterIp = "" } = specOf(old);
  if (clusterIP === oldClusterIp) {
    if (clusterIpsOf(service).length === 0 && clusterIpsOf(old).length > 0) spec.clusterIPs = [...clusterIpsOf(old)];
  } else if (sameTexts(clusterIpsOf(old), clusterIpsOf(service))) {
    if (clusterIP === "") delete spec.clusterIPs;
    else spec.clusterIPs = [clusterIP];
  }
}

/** Drops what the new type does not use, unless it changed at the same time, which validation refuses. */
export function dropUnused(service: Service, old: ServiceView): void {
  const spec = (service.spec ??= {});
  const oldSpec = specOf(old);
  if (!isExternalName(old) && isExternalName(service)) {
    if (spec.clusterIP === oldSpec.clusterIP && sameTexts(clusterIpsOf(service), clusterIpsOf(old))) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (sameTexts(familiesOf(service), familiesOf(old))) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === oldSpec.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (hasNodePorts(old) && !hasNodePorts(service) && nodePortsOf(service).every((port) => nodePortsOf(old).includes(port))) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(service) && spec.healthCheckNodePort === oldSpec.healthCheckNodePort)
    delete spec.healthCheckNodePort;
  if (isLoadBalancer(old) && !isLoadBalancer(service)) {
    if (spec.allocateLoadBalancerNodePorts === oldSpec.allocateLoadBalancerNodePorts) delete spec.allocateLoadBalancerNodePorts;
    if (spec.loadBalancerClass === oldSpec.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(service) && spec.externalTrafficPolicy === oldSpec.externalTrafficPolicy)
    delete spec.externalTrafficPolicy;
  if (!isLoadBalancer(service) && !semanticEqual(service.status?.loadBalancer, {}))
    service.status = { ...service.status, loadBalancer: {} };
}
