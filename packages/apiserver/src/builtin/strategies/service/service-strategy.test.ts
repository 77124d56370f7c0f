import { describe, expect, it } from "vitest";
import { recordsScene } from "../../../testing/records-scene.ts";
import { serviceFixture } from "../../../testing/service-fixture.ts";
import { serviceStrategy } from "./service-strategy.ts";

const context = { now: 0, user: { name: "u", groups: [] }, dryRun: false };

describe("serviceStrategy", async () => {
  const strategy = serviceStrategy((await recordsScene()).allocator);
  const created = async (spec = {}) => {
    const service = serviceFixture(spec);
    strategy.prepareForCreate?.(service, context);
    expect(strategy.validate?.(service)).toEqual([]);
    await (
      await strategy.begin?.(service, undefined, context)
    )?.("written");
    strategy.canonicalize?.(service);
    return service;
  };

  it("settles families, then allocates an address", async () => {
    const { spec, status } = await created();
    expect(spec).toMatchObject({
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      clusterIP: expect.stringMatching(/^10\.0\.0\./) as string,
    });
    expect(status).toEqual({ loadBalancer: {} });
  });

  it("reuses an address only after deletion", async () => {
    const first = await created({ clusterIP: "10.0.0.99" });
    await expect(created({ clusterIP: "10.0.0.99" })).rejects.toThrow("provided IP is already allocated");
    await strategy.afterDelete?.(first);
    await expect(created({ clusterIP: "10.0.0.99" })).resolves.toBeDefined();
  });

  it("allocates nothing in a dry run", async () => {
    const service = serviceFixture({ type: "NodePort" });
    strategy.prepareForCreate?.(service, context);
    await strategy.begin?.(service, undefined, { ...context, dryRun: true });
    expect([service.spec?.clusterIP, service.spec?.ports?.[0]?.nodePort]).toEqual(["10.0.0.0", 32769]);
  });

  it("changes to ExternalName and back", async () => {
    const old = await created();
    const elsewhere = structuredClone(old);
    elsewhere.spec = { ...elsewhere.spec, type: "ExternalName", externalName: "a.b" };
    strategy.prepareForUpdate?.(elsewhere, old, context);
    expect(strategy.validateUpdate?.(elsewhere, old)).toEqual([]);
    strategy.canonicalize?.(elsewhere);
    expect([elsewhere.spec.clusterIP, elsewhere.spec.internalTrafficPolicy]).toEqual([undefined, undefined]);
    await (
      await strategy.begin?.(elsewhere, old, context)
    )?.("written");
    const back = serviceFixture();
    strategy.prepareForUpdate?.(back, elsewhere, context);
    await (
      await strategy.begin?.(back, elsewhere, context)
    )?.("written");
    expect(strategy.validateUpdate?.(back, elsewhere)).toEqual([]);
    expect(back.spec?.clusterIP).toMatch(/^10\./);
  });

  it("warns about non-canonical load balancer addresses", () => {
    const service = serviceFixture({ type: "LoadBalancer" });
    service.status = { loadBalancer: { ingress: [{ ip: "FD00::1", ipMode: "VIP" }] } };
    expect(strategy.subresources?.["status"]?.warningsOnUpdate?.(service, service)).toHaveLength(1);
  });
});
