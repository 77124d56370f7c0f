import type { Service, ServiceSpec, ServiceStatus } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setServiceDefaults } from "./service-defaults.ts";

const made = (spec: ServiceSpec, status: ServiceStatus = {}): Service => {
  const service: Service = { metadata: {}, spec, status };
  setServiceDefaults(service);
  return service;
};
const inside = { type: "ClusterIP", sessionAffinity: "None", internalTrafficPolicy: "Cluster" };

describe("defaults of Service", () => {
  it("set type ClusterIP, no session affinity and internal traffic policy Cluster", () => {
    expect(made({}).spec).toEqual(inside);
  });

  it("set targetPort to port", () => {
    expect(
      made({
        ports: [{ port: 80 }, { port: 81, targetPort: "http", protocol: "UDP" }, { port: 82, targetPort: 0 }, { port: 83, targetPort: "" }],
      }).spec?.ports,
    ).toEqual([
      { port: 80, protocol: "TCP", targetPort: 80 },
      { port: 81, targetPort: "http", protocol: "UDP" },
      { port: 82, protocol: "TCP", targetPort: 82 },
      { port: 83, protocol: "TCP", targetPort: 83 },
    ]);
  });

  it("set the external traffic policy Cluster for NodePort", () => {
    expect(made({ type: "NodePort" }).spec).toEqual({ ...inside, type: "NodePort", externalTrafficPolicy: "Cluster" });
    expect(made({ externalIPs: ["1.2.3.4"] }).spec).toEqual({ ...inside, externalIPs: ["1.2.3.4"], externalTrafficPolicy: "Cluster" });
    expect(made({ type: "ExternalName" }).spec).toEqual({ type: "ExternalName", sessionAffinity: "None" });
  });

  it("set allocateLoadBalancerNodePorts and ipMode VIP for LoadBalancer", () => {
    const { spec, status } = made(
      { type: "LoadBalancer" },
      { loadBalancer: { ingress: [{ ip: "1.2.3.4" }, { hostname: "h" }, { ip: "5.6.7.8", ipMode: "Proxy" }] } },
    );
    expect(spec).toEqual({ ...inside, type: "LoadBalancer", externalTrafficPolicy: "Cluster", allocateLoadBalancerNodePorts: true });
    expect(status?.loadBalancer?.ingress?.map(({ ipMode }) => ipMode)).toEqual(["VIP", undefined, "Proxy"]);
  });

  it("set a client IP affinity timeout of three hours, only for ClientIP", () => {
    expect(made({ sessionAffinity: "ClientIP" }).spec?.sessionAffinityConfig).toEqual({ clientIP: { timeoutSeconds: 10800 } });
    expect(
      made({ sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }).spec?.sessionAffinityConfig,
    ).toEqual({ clientIP: { timeoutSeconds: 5 } });
    expect(made({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }).spec).toEqual(inside);
  });
});
