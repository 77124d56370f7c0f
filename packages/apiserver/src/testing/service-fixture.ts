/** A Service as the strategy sees it: in the shape of its kind, with its defaults. For tests. */
import type { Service, ServiceSpec } from "@drover/api/core/v1";

/** With one port, unless the spec says otherwise. */
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

/** A Service that has its address. */
export function storedService(spec: ServiceSpec = {}): Service {
  return serviceFixture({
    clusterIP: "10.0.0.20",
    clusterIPs: ["10.0.0.20"],
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ...spec,
  });
}
