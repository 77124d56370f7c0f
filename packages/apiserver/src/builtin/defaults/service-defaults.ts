/** Defaults of Service. Addresses and node ports are allocated later, when the service is stored. */
import type { Service, ServiceSpec } from "@drover/api/core/v1";
import { elements } from "./elements.ts";

/** 3 hours */
const affinitySeconds = 3 * 60 * 60;

export function setServiceDefaults(service: Service): void {
  const spec = (service.spec ??= {});
  setAffinityDefaults(spec);
  spec.type ||= "ClusterIP";
  for (const port of elements(spec.ports)) {
    port.protocol ||= "TCP";
    port.targetPort ||= port.port;
  }
  if (isReachableFromOutside(spec)) spec.externalTrafficPolicy ||= "Cluster";
  if (["NodePort", "LoadBalancer", "ClusterIP"].includes(spec.type)) spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type !== "LoadBalancer") return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of elements(service.status?.loadBalancer?.ingress)) if (ingress.ip) ingress.ipMode ??= "VIP";
}

function setAffinityDefaults(spec: ServiceSpec): void {
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP" && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
  }
}

const isReachableFromOutside = ({ type, externalIPs }: ServiceSpec): boolean =>
  type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && elements(externalIPs).length > 0);
