/** Services for tests, in the shape of their kind and with defaults. */
import type { Service, ServiceSpec } from "@drover/api/core/v1";

/** By default with one port. */
export function serviceFixture(spec: ServiceSpec = {}): Service {
  const isElsewhere = spec.type === "ExternalName";
  const isOutside = spec.type === "NodePort" || spec.type === "LoadBalancer";
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "default" },
    spec: {
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      type: "ClusterIP",
      sessionAffinity: "None",
      ...(isElsewhere ? {} : { internalTrafficPolicy: "Cluster" }),
      ...(isOutside ? { externalTrafficPolicy: "Cluster" } : {}),
      ...(spec.type === "LoadBalancer" ? { allocateLoadBalancerNodePorts: true } : {}),
      ...spec,
    },
    status: { loadBalancer: {} },
  };
}

/** A Service with an allocated address. */
export function storedService(spec: ServiceSpec = {}): Service {
  return serviceFixture({
    clusterIP: "10.0.0.20",
    clusterIPs: ["10.0.0.20"],
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ...spec,
  });
}
