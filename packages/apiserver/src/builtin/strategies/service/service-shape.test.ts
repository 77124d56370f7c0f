import { describe, expect, it } from "vitest";
import { serviceFixture, storedService } from "../../../testing/service-fixture.ts";
import {
  familyOf,
  isExternallyAccessible,
  isHeadless,
  needsHealthCheckPort,
  nodePortsOf,
  sameTexts,
  wantsNodePorts,
} from "./service-shape.ts";

describe("Service predicates", () => {
  it("isHeadless holds for clusterIP None", () => {
    expect([["None"], ["None", "10.0.0.1"], []].map((clusterIPs) => isHeadless(serviceFixture({ clusterIPs })))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("wantsNodePorts depends on type and allocateLoadBalancerNodePorts", () => {
    expect(
      [
        serviceFixture(),
        serviceFixture({ type: "NodePort" }),
        serviceFixture({ type: "LoadBalancer" }),
        serviceFixture({ type: "LoadBalancer", allocateLoadBalancerNodePorts: false }),
      ].map(wantsNodePorts),
    ).toEqual([false, true, true, false]);
  });

  it("needs a health check port only for LoadBalancer with local traffic", () => {
    expect(
      [
        storedService({ type: "LoadBalancer", externalTrafficPolicy: "Local" }),
        storedService({ type: "NodePort", externalTrafficPolicy: "Local" }),
      ].map(needsHealthCheckPort),
    ).toEqual([true, false]);
  });

  it("detect external access by type or external IPs", () => {
    expect(
      [serviceFixture(), serviceFixture({ externalIPs: ["1.2.3.4"] }), serviceFixture({ type: "NodePort" })].map(isExternallyAccessible),
    ).toEqual([false, true, true]);
  });

  it("return node ports, and the family of an address", () => {
    expect(nodePortsOf(serviceFixture({ ports: [{ port: 1, nodePort: 30001 }, { port: 2 }] }))).toEqual([30001]);
    expect(["10.0.0.1", "fd00::1", "::ffff:10.0.0.1"].map(familyOf)).toEqual(["IPv4", "IPv6", "IPv4"]);
    expect([sameTexts(["a"], ["a"]), sameTexts(["a"], ["a", "b"])]).toEqual([true, false]);
  });
});
