import { describe, expect, it } from "vitest";
import { serviceFixture, storedService } from "../../../testing/service-fixture.ts";
import { alignClusterIps, dropUnused, keepAllocated } from "./service-update.ts";

describe("keepAllocated", () => {
  it("keeps addresses that are not sent again", () => {
    const service = serviceFixture();
    keepAllocated(service, storedService());
    expect(service.spec).toMatchObject({ clusterIP: "10.0.0.20", clusterIPs: ["10.0.0.20"] });
  });

  it("matches ports by name, and drops a node port that another requests", () => {
    const old = storedService({
      type: "NodePort",
      ports: [
        { name: "a", port: 80, nodePort: 30001 },
        { name: "b", port: 81, nodePort: 30002 },
      ],
    });
    const service = serviceFixture({
      type: "NodePort",
      ports: [
        { name: "a", port: 90 },
        { name: "c", port: 81, nodePort: 30002 },
        { name: "b", port: 82 },
      ],
    });
    keepAllocated(service, old);
    expect(service.spec?.ports?.map(({ nodePort }) => nodePort)).toEqual([30001, 30002, undefined]);
  });

  it("keeps the health check node port", () => {
    const service = serviceFixture({ type: "LoadBalancer", externalTrafficPolicy: "Local" });
    keepAllocated(service, storedService({ type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30100 }));
    expect(service.spec?.healthCheckNodePort).toBe(30100);
  });

  it("keeps nothing for ExternalName", () => {
    const service = serviceFixture({ type: "ExternalName" });
    keepAllocated(service, storedService());
    expect(service.spec?.clusterIP).toBeUndefined();
  });
});

describe("alignClusterIps", () => {
  it("copies clusterIP to clusterIPs on create", () => {
    const service = serviceFixture({ clusterIP: "None" });
    alignClusterIps(service);
    expect(service.spec?.clusterIPs).toEqual(["None"]);
  });

  it("follows a changed or removed clusterIP", () => {
    const changed = storedService({ clusterIP: "10.0.0.21" });
    alignClusterIps(changed, storedService());
    expect(changed.spec?.clusterIPs).toEqual(["10.0.0.21"]);
    const cleared = storedService({ clusterIP: "" });
    alignClusterIps(cleared, storedService());
    expect(cleared.spec?.clusterIPs).toBeUndefined();
  });

  it("keeps explicitly changed clusterIPs", () => {
    const service = storedService({ clusterIP: "10.0.0.21", clusterIPs: ["10.0.0.22"] });
    alignClusterIps(service, storedService());
    expect(service.spec?.clusterIPs).toEqual(["10.0.0.22"]);
  });
});

describe("dropUnused", () => {
  it("drops addresses and families that the new type does not use", () => {
    const service = storedService({ type: "ExternalName" });
    dropUnused(service, storedService());
    expect(Object.keys(service.spec ?? {})).not.toEqual(expect.arrayContaining(["clusterIP"]));
    expect([service.spec?.clusterIPs, service.spec?.ipFamilies, service.spec?.ipFamilyPolicy]).toEqual([undefined, undefined, undefined]);
  });

  it("drops node ports, class, policies and status of a load balancer", () => {
    const old = storedService({ type: "LoadBalancer", loadBalancerClass: "a/b", ports: [{ port: 80, nodePort: 30001 }] });
    old.status = { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } };
    const service = structuredClone(old);
    (service.spec ??= {}).type = "ClusterIP";
    dropUnused(service, old);
    expect(service.spec).toEqual({ ...storedService().spec, ports: [{ port: 80 }] });
    expect(service.status).toEqual({ loadBalancer: {} });
    expect(old.status.loadBalancer?.ingress).toHaveLength(1);
  });

  it("keeps fields changed at the same time, for validation to refuse", () => {
    const service = storedService({ ports: [{ port: 80, nodePort: 30002 }] });
    dropUnused(service, storedService({ type: "NodePort", ports: [{ port: 80, nodePort: 30001 }] }));
    expect(service.spec?.ports?.[0]?.nodePort).toBe(30002);
  });
});
