import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { serviceFixture, storedService } from "../../../testing/service-fixture.ts";
import { validateService, validateServiceStatus, validateServiceUpdate } from "./service-validation.ts";

const texts = (spec: Parameters<typeof serviceFixture>[0]): string[] => validateService(serviceFixture(spec)).map(printFieldError);

describe("validateService", () => {
  it("accepts Services of every type", () => {
    expect([
      texts({}),
      texts({ type: "NodePort" }),
      texts({ type: "LoadBalancer" }),
      texts({ type: "ExternalName", externalName: "a.b." }),
    ]).toEqual([[], [], [], []]);
  });

  it("requires ports unless headless or ExternalName", () => {
    expect(texts({ ports: [] })).toEqual(["spec.ports: Required value"]);
    expect(texts({ ports: [], clusterIP: "None", clusterIPs: ["None"] })).toEqual([]);
  });

  it("refuses None for NodePort and LoadBalancer", () => {
    expect(texts({ type: "NodePort", clusterIP: "None", clusterIPs: ["None"] })).toEqual([
      "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort services",
    ]);
  });

  it("validates session affinity and its timeout", () => {
    expect(texts({ sessionAffinity: "ClientIP" })).toEqual([
      "spec.sessionAffinityConfig: Required value: when session affinity type is ClientIP",
    ]);
    expect(texts({ sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } })).toEqual([
      "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400",
    ]);
    expect(texts({ sessionAffinityConfig: {} })).toEqual([
      "spec.sessionAffinityConfig: Forbidden: must not be set when session affinity is None",
    ]);
  });

  it("refuses externalTrafficPolicy without external access", () => {
    expect(texts({ externalTrafficPolicy: "Local" })).toEqual([
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ]);
  });

  it("validates trafficDistribution", () => {
    expect(texts({ trafficDistribution: "Zed" })).toEqual([
      'spec.trafficDistribution: Unsupported value: "Zed": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ]);
  });

  it("reads source ranges from the field, or else from the annotation", () => {
    expect(texts({ type: "LoadBalancer", loadBalancerSourceRanges: [" 10.0.0.0/8 ", "x"] })).toEqual([
      'spec.LoadBalancerSourceRanges[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ]);
    const annotated = serviceFixture({ type: "LoadBalancer" });
    annotated.metadata.annotations = { "service.beta.kubernetes.io/load-balancer-source-ranges": "x" };
    expect(validateService(annotated)).toHaveLength(1);
    expect(validateService(annotated, annotated)).toEqual([]);
  });
});

describe("validateServiceUpdate", () => {
  it("keeps loadBalancerClass and healthCheckNodePort immutable", () => {
    const old = storedService({
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      loadBalancerClass: "a/b",
      healthCheckNodePort: 30100,
    });
    const service = storedService({
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      loadBalancerClass: "a/c",
      healthCheckNodePort: 30101,
    });
    expect(validateServiceUpdate(service, old).map(printFieldError)).toEqual([
      'spec.loadBalancerClass: Invalid value: "a/c": may not change once set',
      "spec.healthCheckNodePort: Forbidden: field is immutable",
    ]);
  });
});

describe("validateServiceStatus", () => {
  it("allows load balancer ingress for LoadBalancer only", () => {
    const service = storedService();
    service.status = { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } };
    expect(validateServiceStatus(service, storedService()).map(printFieldError)).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
  });
});
