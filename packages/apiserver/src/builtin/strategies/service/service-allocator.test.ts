import type { Service } from "@drover/api/core/v1";
import { createRandom } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StatusError } from "../../../status-error.ts";
import { ServiceAllocator } from "./service-allocator.ts";
import { serviceFixture, storedService } from "../../../testing/service-fixture.ts";

const allocator = (cidrs?: readonly string[]): ServiceAllocator =>
  new ServiceAllocator({ random: createRandom(1), ...(cidrs === undefined ? {} : { cidrs }) });
const single = { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" } as const;
const create = (from: ServiceAllocator, service: Service, dryRun = false): Service => {
  from.allocate(service, undefined, { dryRun })(true);
  return service;
};

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof StatusError) return `${error.status.code}: ${error.status.message}`;
    throw error;
  }
  return "taken";
}

describe("ServiceAllocator", () => {
  it("allocates a unique address per Service", () => {
    const from = allocator(["10.0.0.0/28"]);
    const addresses = Array.from(
      { length: 14 },
      () => create(from, serviceFixture({ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" })).spec?.clusterIP,
    );
    expect(new Set(addresses).size).toBe(14);
    expect(refusal(() => create(from, serviceFixture({ ipFamilies: ["IPv4"] })))).toBe(
      '500: Internal error occurred: failed to allocate a serviceIP for Service "web": range is full',
    );
  });

  it("allocates one address per family", () => {
    const { spec } = create(allocator(["10.0.0.0/24", "fd00::/120"]), serviceFixture({ ipFamilies: ["IPv6", "IPv4"] }));
    expect(spec?.clusterIPs?.map((address) => address.includes(":"))).toEqual([true, false]);
    expect(spec?.clusterIP).toBe(spec?.clusterIPs?.[0]);
  });

  it("knows the first address and the default family", () => {
    const { firstAddress, defaultFamily, isDualStack } = allocator(["fd00::/120", "10.0.0.0/24"]);
    expect([firstAddress, defaultFamily, isDualStack]).toEqual(["fd00::1", "IPv6", true]);
  });

  it("allocates nothing for headless and ExternalName Services", () => {
    const from = allocator();
    expect(create(from, serviceFixture({ clusterIP: "None", clusterIPs: ["None"], ipFamilies: ["IPv4"] })).spec?.clusterIPs).toEqual([
      "None",
    ]);
    expect(create(from, serviceFixture({ type: "ExternalName", externalName: "a.b" })).spec?.clusterIP).toBeUndefined();
  });

  it("refuses addresses of stored Services until they are deleted", () => {
    const from = allocator();
    const stored = storedService({
      type: "NodePort",
      ports: [
        { port: 80, protocol: "TCP", nodePort: 30001 },
        { port: 80, protocol: "UDP", nodePort: 30001 },
      ],
    });
    from.learn(stored);
    const again = () => create(from, serviceFixture({ clusterIP: "10.0.0.20", clusterIPs: ["10.0.0.20"], ipFamilies: ["IPv4"] }));
    expect(refusal(again)).toBe(
      '422: Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.20"]: failed to allocate IP 10.0.0.20: provided IP is already allocated',
    );
    from.forget(stored);
    expect(refusal(again)).toBe("taken");
    expect(
      refusal(() => create(from, serviceFixture({ type: "NodePort", ports: [{ port: 80, nodePort: 30001 }], ipFamilies: ["IPv4"] }))),
    ).toBe("taken");
  });

  it("allocates nothing if one of several requests fails", () => {
    const from = allocator();
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
    expect([refusal(() => create(from, service())), refusal(() => create(from, service()))]).toEqual([text, text]);
  });

  it("shares a node port between protocols of a port", () => {
    const { spec } = create(
      allocator(),
      serviceFixture({
        type: "NodePort",
        ipFamilies: ["IPv4"],
        ports: [
          { name: "a", port: 80, protocol: "TCP" },
          { name: "b", port: 80, protocol: "UDP" },
          { name: "c", port: 81, protocol: "TCP" },
        ],
      }),
    );
    const [a, b, c] = spec?.ports?.map(({ nodePort }) => nodePort) ?? [];
    expect([a === b, a === c]).toEqual([true, false]);
  });

  it("allocates a health check node port, or reports why not", () => {
    const from = allocator();
    const local = (healthCheckNodePort?: number): Service =>
      serviceFixture({
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        ...(healthCheckNodePort === undefined ? {} : { healthCheckNodePort }),
        ipFamilies: ["IPv4"],
      });
    expect(create(from, local()).spec?.healthCheckNodePort).toBeGreaterThanOrEqual(30000);
    expect(create(from, local(30100)).spec?.healthCheckNodePort).toBe(30100);
    expect(refusal(() => create(from, local(30100)))).toBe(
      "500: Internal error occurred: failed to allocate requested HealthCheck NodePort 30100: provided port is already allocated",
    );
  });

  it("releases unused allocations when the update succeeds", () => {
    const from = allocator();
    const old = create(
      from,
      serviceFixture({
        type: "NodePort",
        ...single,
        ipFamilies: ["IPv4"],
        clusterIP: "10.0.0.40",
        clusterIPs: ["10.0.0.40"],
        ports: [{ port: 80, nodePort: 30010 }],
      }),
    );
    const elsewhere = serviceFixture({ type: "ExternalName", externalName: "a.b" });
    const taken = () =>
      refusal(() =>
        from.allocate(
          serviceFixture({
            type: "NodePort",
            ipFamilies: ["IPv4"],
            clusterIP: "10.0.0.40",
            clusterIPs: ["10.0.0.40"],
            ports: [{ port: 80, nodePort: 30010 }],
          }),
          undefined,
          { dryRun: false },
        )(false),
      );
    from.allocate(structuredClone(elsewhere), old, { dryRun: false })(false);
    expect(taken()).toContain("already allocated");
    from.allocate(structuredClone(elsewhere), old, { dryRun: false })(true);
    expect(taken()).toBe("taken");
  });

  it("allocates and releases the secondary address with the second family", () => {
    const from = allocator(["10.0.0.0/24", "fd00::/120"]);
    const old = create(from, serviceFixture({ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }));
    const both: Service = {
      ...structuredClone(old),
      spec: { ...old.spec, ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" },
    };
    from.allocate(both, old, { dryRun: false })(true);
    expect(both.spec?.clusterIPs).toEqual([old.spec?.clusterIP, expect.stringContaining("fd00::")]);
    const [first = "", second = ""] = both.spec?.clusterIPs ?? [];
    from.allocate(
      { ...structuredClone(both), spec: { ...both.spec, clusterIPs: [first], ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" } },
      both,
      { dryRun: false },
    )(true);
    expect(refusal(() => create(from, serviceFixture({ clusterIP: second, clusterIPs: [second], ipFamilies: ["IPv6"] })))).toBe("taken");
  });

  it("refuses a duplicate node port in an update", () => {
    const from = allocator();
    const old = create(from, serviceFixture({ type: "NodePort", ipFamilies: ["IPv4"] }));
    const ports = [
      { name: "a", port: 80, protocol: "TCP" as const, nodePort: 30009 },
      { name: "b", port: 81, protocol: "TCP" as const, nodePort: 30009 },
    ];
    expect(refusal(() => from.allocate({ ...structuredClone(old), spec: { ...old.spec, ports } }, old, { dryRun: false }))).toBe(
      "500: duplicate nodePort: {TCP 30009}",
    );
  });

  it("refuses incompatible ranges", () => {
    expect(() => allocator([])).toThrow("Services need one address range, or two of different families");
    expect(() => allocator(["10.0.0.0/24", "10.1.0.0/24"])).toThrow("10.0.0.0/24 and 10.1.0.0/24 are of one family");
  });

  it("never allocates an address or port twice, for random sequences", () => {
    const runs = fc.readConfigureGlobal()?.numRuns ?? 200;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(9), fc.boolean())), (steps) => {
        const from = allocator(["10.0.0.0/28"]);
        const living: Service[] = [];
        for (const [deletes, which, success] of steps) {
          if (deletes && living.length > 0) from.forget(living.splice(which % living.length, 1)[0] ?? serviceFixture());
          else {
            const service = serviceFixture({ type: "NodePort", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" });
            if (refusal(() => from.allocate(service, undefined, { dryRun: false })(success)) === "taken" && success) living.push(service);
          }
        }
        expect(living.length).toBeLessThanOrEqual(14);
        expect(new Set(living.map(({ spec }) => spec?.clusterIP)).size).toBe(living.length);
        expect(new Set(living.map(({ spec }) => spec?.ports?.[0]?.nodePort)).size).toBe(living.length);
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  });
});
