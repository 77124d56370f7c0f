import { describe, expect, it } from "vitest";
import { serviceFixture } from "../../../testing/service-fixture.ts";
import { serviceWarnings } from "./service-warnings.ts";

describe("serviceWarnings", () => {
  it("is empty for a plain Service", () => {
    expect(serviceWarnings(serviceFixture())).toEqual([]);
  });

  it("warns about ignored fields of a headless Service", () => {
    expect(
      serviceWarnings(
        serviceFixture({ clusterIP: "None", loadBalancerIP: "1.2.3.4", externalIPs: ["1.2.3.4"], sessionAffinity: "ClientIP" }),
      ),
    ).toEqual([
      "spec.loadBalancerIP is ignored for headless services",
      "spec.externalIPs is ignored for headless services",
      "spec.SessionAffinity is ignored for headless services",
    ]);
  });

  it("warns about deprecated fields", () => {
    const service = serviceFixture({ externalIPs: ["1.2.3.4"], externalName: "a.b", trafficDistribution: "PreferClose" });
    service.metadata.annotations = { "service.kubernetes.io/topology-aware-hints": "auto" };
    expect(serviceWarnings(service)).toEqual([
      "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
      'spec.externalName is ignored when spec.type is not "ExternalName"',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ]);
  });

  it("warns about non-canonical addresses", () => {
    expect(serviceWarnings(serviceFixture({ clusterIP: "FD00::1", clusterIPs: ["FD00::1"] }))).toHaveLength(1);
  });
});
