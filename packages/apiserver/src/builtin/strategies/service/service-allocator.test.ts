import type { Service } from "@drover/api/core/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WriteResult } from "../../../registry/strategy.ts";
import { StatusError } from "../../../status-error.ts";
import { recordsScene } from "../../../testing/records-scene.ts";
import { serviceFixture, storedService } from "../../../testing/service-fixture.ts";
import { ServiceAllocator } from "./service-allocator.ts";

const allocator = async (cidrs?: readonly string[]): Promise<ServiceAllocator> =>
  (await recordsScene(cidrs === undefined ? {} : { cidrs })).allocator;
const single = { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" } as const;
const write = async (from: ServiceAllocator, service: Service, old: Service | undefined, result: WriteResult): Promise<Service> => {
  await (
    await from.allocate(service, old, { dryRun: false })
  )(result);
  return service;
};
const create = (from: ServiceAllocator, service: Service): Promise<Service> => write(from, service, undefined, "written");

async function refusal(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof StatusError) return `${error.status.code}: ${error.status.message}`;
    throw error;
  }
  return "taken";
}

describe("ServiceAllocator", () => {
  it("allocates a unique address per Service", async () => {
    const from = await allocator(["10.0.0.0/28"]);
    const addresses: (string | undefined)[] = [];
    for (let n = 0; n < 14; n++)
      addresses.push((await create(from, serviceFixture({ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }))).spec?.clusterIP);
    expect(new Set(addresses).size).toBe(14);
    expect(await refusal(() => create(from, serviceFixture({ ipFamilies: ["IPv4"] })))).toBe(
      '500: Internal error occurred: failed to allocate a serviceIP for Service "web": range is full',
    );
  });

  it("allocates one address per family", async () => {
    const { spec } = await create(await allocator(["10.0.0.0/24", "fd00::/120"]), serviceFixture({ ipFamilies: ["IPv6", "IPv4"] }));
    expect(spec?.clusterIPs?.map((address) => address.includes(":"))).toEqual([true, false]);
    expect(spec?.clusterIP).toBe(spec?.clusterIPs?.[0]);
  });

  it("knows the default family", async () => {
    const { defaultFamily, isDualStack } = await allocator(["fd00::/120", "10.0.0.0/24"]);
    expect([defaultFamily, isDualStack]).toEqual(["IPv6", true]);
  });

  it("allocates nothing for headless and ExternalName Services", async () => {
    const from = await allocator();
    const headless = await create(from, serviceFixture({ clusterIP: "None", clusterIPs: ["None"], ipFamilies: ["IPv4"] }));
    expect(headless.spec?.clusterIPs).toEqual(["None"]);
    expect((await create(from, serviceFixture({ type: "ExternalName", externalName: "a.b" }))).spec?.clusterIP).toBeUndefined();
  });

  it("refuses addresses and ports of stored Services until they are deleted", async () => {
    const from = await allocator();
    const stored = await create(
      from,
      storedService({
        type: "NodePort",
        ports: [
          { port: 80, protocol: "TCP", nodePort: 30001 },
          { port: 80, protocol: "UDP", nodePort: 30001 },
        ],
      }),
    );
    const again = () => create(from, serviceFixture({ clusterIP: "10.0.0.20", clusterIPs: ["10.0.0.20"], ipFamilies: ["IPv4"] }));
    const port = () => create(from, serviceFixture({ type: "NodePort", ports: [{ port: 80, nodePort: 30001 }], ipFamilies: ["IPv4"] }));
    expect(await refusal(again)).toBe(
      '422: Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.20"]: failed to allocate IP 10.0.0.20: provided IP is already allocated',
    );
    expect(await refusal(port)).toContain("provided port is already allocated");
    await from.release(stored);
    expect(await refusal(again)).toBe("taken");
    expect(await refusal(port)).toBe("taken");
  });

  it("keeps an address that another Service has got meanwhile", async () => {
    const from = await allocator();
    const other = storedService();
    other.metadata = { name: "other", namespace: "default" };
    await create(from, other);
    await from.release(storedService());
    expect(await refusal(() => create(from, storedService()))).toContain("provided IP is already allocated");
  });

  it("allocates nothing if one of several requests fails", async () => {
    const from = await allocator();
    const service = (): Service =>
      serviceFixture({
        type: "NodePort",
        clusterIP: "10.0.0.30",
        clusterIPs: ["10.0.0.30"],
        ipFamilies: ["IPv4"],
        ports: [{ port: 80, nodePort: 80 }],
      });
    const text =
      '422: Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767';
    expect([await refusal(() => create(from, service())), await refusal(() => create(from, service()))]).toEqual([text, text]);
  });

  it("shares a node port between protocols of a port", async () => {
    const ports = [
      { name: "a", port: 80, protocol: "TCP" as const },
      { name: "b", port: 80, protocol: "UDP" as const },
      { name: "c", port: 81, protocol: "TCP" as const },
    ];
    const { spec } = await create(await allocator(), serviceFixture({ type: "NodePort", ipFamilies: ["IPv4"], ports }));
    const [a, b, c] = spec?.ports?.map(({ nodePort }) => nodePort) ?? [];
    expect([a === b, a === c]).toEqual([true, false]);
  });

  it("allocates a health check node port, or reports why not", async () => {
    const from = await allocator();
    const local = (healthCheckNodePort?: number): Service =>
      serviceFixture({
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        ...(healthCheckNodePort === undefined ? {} : { healthCheckNodePort }),
        ipFamilies: ["IPv4"],
      });
    expect((await create(from, local())).spec?.healthCheckNodePort).toBeGreaterThanOrEqual(30000);
    expect((await create(from, local(30100))).spec?.healthCheckNodePort).toBe(30100);
    expect(await refusal(() => create(from, local(30100)))).toBe(
      "500: Internal error occurred: failed to allocate requested HealthCheck NodePort 30100: provided port is already allocated",
    );
  });

  it("releases what a Service no longer needs when its update succeeds, and only then", async () => {
    const from = await allocator();
    const asked = () =>
      serviceFixture({
        type: "NodePort",
        ...single,
        ipFamilies: ["IPv4"],
        clusterIP: "10.0.0.40",
        clusterIPs: ["10.0.0.40"],
        ports: [{ port: 80, nodePort: 30010 }],
      });
    const old = await create(from, asked());
    const elsewhere = serviceFixture({ type: "ExternalName", externalName: "a.b" });
    const taken = () => refusal(() => write(from, asked(), undefined, "failed"));
    for (const result of ["failed", "unknown"] as const) {
      await write(from, structuredClone(elsewhere), old, result);
      expect(await taken()).toContain("already allocated");
    }
    await write(from, structuredClone(elsewhere), old, "written");
    expect(await taken()).toBe("taken");
  });

  it("keeps what a Service got whose write has an unknown outcome", async () => {
    const from = await allocator();
    const asked = () => storedService({ type: "NodePort", ports: [{ port: 80, nodePort: 30010 }] });
    await write(from, asked(), undefined, "unknown");
    expect(await refusal(() => create(from, asked()))).toContain("provided IP is already allocated");
    const port = serviceFixture({ type: "NodePort", ipFamilies: ["IPv4"], ports: [{ port: 80, nodePort: 30010 }] });
    expect(await refusal(() => create(from, port))).toContain("provided port is already allocated");
  });

  it("allocates and releases the secondary address with the second family", async () => {
    const from = await allocator(["10.0.0.0/24", "fd00::/120"]);
    const old = await create(from, serviceFixture({ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }));
    const both: Service = {
      ...structuredClone(old),
      spec: { ...old.spec, ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" },
    };
    await write(from, both, old, "written");
    expect(both.spec?.clusterIPs).toEqual([old.spec?.clusterIP, expect.stringContaining("fd00::")]);
    const [first = "", second = ""] = both.spec?.clusterIPs ?? [];
    const again = { ...both.spec, clusterIPs: [first], ipFamilies: ["IPv4" as const], ipFamilyPolicy: "SingleStack" as const };
    await write(from, { ...structuredClone(both), spec: again }, both, "written");
    const asked = serviceFixture({ clusterIP: second, clusterIPs: [second], ipFamilies: ["IPv6"] });
    expect(await refusal(() => create(from, asked))).toBe("taken");
  });

  it("refuses a duplicate node port in an update", async () => {
    const from = await allocator();
    const old = await create(from, serviceFixture({ type: "NodePort", ipFamilies: ["IPv4"] }));
    const ports = [
      { name: "a", port: 80, protocol: "TCP" as const, nodePort: 30009 },
      { name: "b", port: 81, protocol: "TCP" as const, nodePort: 30009 },
    ];
    expect(await refusal(() => write(from, { ...structuredClone(old), spec: { ...old.spec, ports } }, old, "written"))).toBe(
      "500: duplicate nodePort: {TCP 30009}",
    );
  });

  it("refuses incompatible ranges", async () => {
    const { records } = await recordsScene();
    expect(() => new ServiceAllocator({ records, cidrs: [] })).toThrow("Services need one address range, or two of different families");
    expect(() => new ServiceAllocator({ records, cidrs: ["10.0.0.0/24", "10.1.0.0/24"] })).toThrow(
      "10.0.0.0/24 and 10.1.0.0/24 are of one family",
    );
  });

  it("never allocates an address or port twice on two servers, for random sequences", async () => {
    const runs = fc.readConfigureGlobal()?.numRuns ?? 200;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.nat(9), fc.boolean(), fc.boolean())), async (steps) => {
        const first = await recordsScene({ cidrs: ["10.0.0.0/28"] });
        const second = await recordsScene({ cidrs: ["10.0.0.0/28"], store: first.store });
        const living: Service[] = [];
        let count = 0;
        const under: Promise<unknown>[] = [];
        for (const [deletes, which, isFirst, success] of steps) {
          const from = (isFirst ? first : second).allocator;
          if (deletes && living.length > 0) under.push(from.release(living.splice(which % living.length, 1)[0] ?? serviceFixture()));
          else {
            const service = serviceFixture({ type: "NodePort", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" });
            service.metadata = { name: `web-${count++}`, namespace: "default" };
            under.push(
              refusal(() => write(from, service, undefined, success ? "written" : "failed")).then((answer) => {
                if (answer === "taken" && success) living.push(service);
              }),
            );
          }
          if (which < 5) await Promise.all(under.splice(0));
        }
        await Promise.all(under);
        expect(living.length).toBeLessThanOrEqual(14);
        expect(new Set(living.map(({ spec }) => spec?.clusterIP)).size).toBe(living.length);
        expect(new Set(living.map(({ spec }) => spec?.ports?.[0]?.nodePort)).size).toBe(living.length);
        // Nothing else is recorded.
        expect((await first.addresses()).toSorted()).toEqual(living.map(({ spec }) => spec?.clusterIP ?? "").toSorted());
        const { ports } = await second.records.portRecord();
        for (const { spec } of living) ports.taken.giveBack((spec?.ports?.[0]?.nodePort ?? 0) - 30_000);
        expect(ports.taken.takeAny()).toBeDefined();
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  });
});
