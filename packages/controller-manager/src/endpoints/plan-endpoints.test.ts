import type { Endpoints, Pod, Service } from "@drover/api/core/v1";
import { definedOnly } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isUnmanaged, planEndpoints, sameSubsets } from "./plan-endpoints.ts";
import { subsetsOf } from "./subsets.ts";
import { podOf, podsOf, serviceOf } from "./testing/endpoint-objects.ts";

const deletionTimestamp = "2026-01-01T00:00:00Z";
const plan = (service: Service, pods: readonly Pod[], current?: DeepReadonly<Endpoints>): DeepReadonly<Endpoints> | undefined =>
  planEndpoints({ service, pods, current, triggerTime: undefined });
/** Ready and not ready. */
const counts = (service: Service, ...pods: readonly Pod[]): readonly number[] => {
  const subsets = subsetsOf(service, pods);
  return [
    subsets.reduce((sum, { addresses = [] }) => sum + addresses.length, 0),
    subsets.reduce((sum, { notReadyAddresses = [] }) => sum + notReadyAddresses.length, 0),
  ];
};
const addressOf = (name: string, ip = "10.0.0.1"): object => ({
  ip,
  nodeName: "node-1",
  targetRef: { kind: "Pod", namespace: "shop", name, uid: `uid-${name}` },
});

describe("planEndpoints", () => {
  it("E001, E012: leaves a service without a selector and an ExternalName alone", () => {
    const external = [serviceOf({ type: "ExternalName" }), serviceOf({ type: "ExternalName", ports: [] })];
    expect([...external, { ...serviceOf(), spec: { ports: [] } }, serviceOf()].map(isUnmanaged)).toEqual([true, true, true, false]);
  });

  it("E002, E003, E004, E017: writes nothing when nothing, or only a pod's version, differs", () => {
    const empty = plan(serviceOf(), []);
    for (const subsets of [undefined, []]) {
      const { subsets: _, ...current } = empty ?? { metadata: {} };
      expect(plan(serviceOf(), [], { ...current, ...definedOnly({ subsets }) })).toBeUndefined();
    }
    const one = plan(serviceOf(), [podOf("a")]);
    expect(plan(serviceOf(), [podOf("a", { metadata: { resourceVersion: "9" } })], one)).toBeUndefined();
  });

  it.each([
    ["E007", "TCP"],
    ["E008", "UDP"],
    ["E009", "SCTP"],
  ] as const)("%s: lists %s ports, the pod's address, its node and its reference", (_, protocol) => {
    expect(plan(serviceOf({ ports: [{ port: 80, protocol, targetPort: 8080 }] }), [podOf("a")])?.subsets).toEqual([
      { addresses: [addressOf("a")], ports: [{ port: 8080, protocol }] },
    ]);
  });

  it("E011, E023, E027: labels Endpoints of a headless service, with and without ports", () => {
    const headless = plan(serviceOf({ clusterIP: "None" }), [podOf("a")]);
    expect(headless).toMatchObject({
      metadata: { labels: { "service.kubernetes.io/headless": "" } },
      subsets: [{ addresses: [addressOf("a")], ports: [{ port: 8080 }] }],
    });
    expect(plan(serviceOf({ clusterIP: "None", ports: [] }), [podOf("a")])?.subsets).toEqual([{ addresses: [addressOf("a")] }]);
    expect(plan(serviceOf({ ports: [] }), [podOf("a")])?.subsets).toEqual([]);
    expect(plan(serviceOf({}, { labels: { "service.kubernetes.io/headless": "" } }), [])?.metadata.labels).toEqual({
      "endpoints.kubernetes.io/managed-by": "endpoint-controller",
    });
  });

  it("E013, E014: separates ready from unready addresses", () => {
    expect([counts(serviceOf(), podOf("a")), counts(serviceOf(), podOf("a", { ready: false }))]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it("E016, E018: writes a difference, but not one of order", () => {
    const service = serviceOf({
      ports: [
        { name: "a", port: 80, targetPort: 1 },
        { name: "b", port: 81, targetPort: 2 },
      ],
    });
    const wanted = plan(service, podsOf(3));
    const [subset] = wanted?.subsets ?? [];
    if (wanted === undefined || subset === undefined) throw new Error("nothing was planned");
    const turned = { ...wanted, subsets: [{ addresses: (subset.addresses ?? []).toReversed(), ports: (subset.ports ?? []).toReversed() }] };
    expect(plan(service, podsOf(3), turned)).toBeUndefined();
    expect(
      plan(service, podsOf(3), { ...wanted, subsets: [{ ...subset, addresses: (subset.addresses ?? []).slice(1) }] })?.subsets,
    ).toEqual(wanted.subsets);
  });

  it("E019: groups sorted ports with the same addresses", () => {
    const service = serviceOf({
      ports: [
        { name: "b", port: 81, targetPort: 2 },
        { name: "a", port: 80, targetPort: 1 },
      ],
    });
    expect(plan(service, [podOf("y", { ips: ["10.0.0.2"] }), podOf("x", { ips: ["10.0.0.1"] })])?.subsets).toEqual([
      {
        addresses: [addressOf("x"), addressOf("y", "10.0.0.2")],
        ports: [
          { name: "a", port: 1, protocol: "TCP" },
          { name: "b", port: 2, protocol: "TCP" },
        ],
      },
    ]);
  });

  it("E021: follows the service's labels and keeps annotations of others", () => {
    const before = plan(serviceOf({}, { labels: { a: "1" } }), []);
    const current = {
      ...before,
      metadata: { ...before?.metadata, annotations: { mine: "x", "endpoints.kubernetes.io/last-change-trigger-time": "t" } },
    };
    expect(plan(serviceOf({}, { labels: { a: "1" } }), [], current)).toBeUndefined();
    expect(plan(serviceOf({}, { labels: { b: "2" } }), [], current)?.metadata).toMatchObject({
      labels: { b: "2", "endpoints.kubernetes.io/managed-by": "endpoint-controller" },
      annotations: { mine: "x" },
    });
    expect(planEndpoints({ service: serviceOf(), pods: [podOf("a")], current, triggerTime: "t2" })?.metadata.annotations).toEqual({
      mine: "x",
      "endpoints.kubernetes.io/last-change-trigger-time": "t2",
    });
  });

  it("E028, E029: uses the service's family, else that of its cluster IP, else the pod's first for a headless one", () => {
    const [v4, v6, dual, dual6] = [["10.0.0.1"], ["fd00::1"], ["10.0.0.1", "fd00::1"], ["fd00::1", "10.0.0.1"]] as const;
    const ip = (spec: Service["spec"], ips: readonly string[]): string | undefined =>
      subsetsOf(serviceOf(spec), [podOf("a", { ips })])[0]?.addresses?.[0]?.ip;
    expect([v4, dual, dual6, v6].map((ips) => ip({ ipFamilies: ["IPv4"] }, ips))).toEqual(["10.0.0.1", "10.0.0.1", "10.0.0.1", undefined]);
    expect([v6, dual, dual6, v4].map((ips) => ip({ ipFamilies: ["IPv6"], clusterIP: "None" }, ips))).toEqual([
      "fd00::1",
      "fd00::1",
      "fd00::1",
      undefined,
    ]);
    expect([dual6, v6].map((ips) => ip({ ipFamilies: [], clusterIP: "10.1.0.1" }, ips))).toEqual(["10.0.0.1", undefined]);
    expect([dual, dual6].map((ips) => ip({ ipFamilies: [], clusterIP: "None" }, ips))).toEqual(["10.0.0.1", "fd00::1"]);
  });

  it("E036: lists at most a thousand addresses, and annotates that there were more", () => {
    const over = "endpoints.kubernetes.io/over-capacity";
    const annotation = (ready: number, notReady: number, had?: string): readonly unknown[] => {
      const pods = [...podsOf(ready), ...podsOf(notReady, { ready: false }, ready)];
      const current: Endpoints = {
        metadata: { name: "web", namespace: "shop", ...(had === undefined ? {} : { annotations: { [over]: had } }) },
      };
      const planned = plan(serviceOf(), pods, current);
      const [subset] = planned?.subsets ?? [];
      return [subset?.addresses?.length, subset?.notReadyAddresses?.length ?? 0, planned?.metadata.annotations?.[over]];
    };
    expect(annotation(997, 4)).toEqual([997, 3, "truncated"]);
    expect(annotation(1000, 10)).toEqual([1000, 0, "truncated"]);
    expect(annotation(999, 0, "truncated")).toEqual([999, 0, undefined]);
    expect(annotation(1000, 0, "warning")).toEqual([1000, 0, undefined]);
    expect(annotation(1001, 0, "warning")).toEqual([1000, 0, "truncated"]);
    const [service, many] = [serviceOf(), podsOf(1001)];
    const truncated = plan(service, many);
    expect(plan(service, many, truncated)).toBeUndefined();
    const wrong = { ...truncated, metadata: { ...truncated?.metadata, annotations: { [over]: "warning" } } };
    expect(plan(service, many, wrong)?.metadata.annotations).toEqual({ [over]: "truncated" });
  });

  it("E039: copies appProtocol", () => {
    expect(plan(serviceOf({ ports: [{ port: 80, targetPort: 1, appProtocol: "http" }] }), [podOf("a")])?.subsets?.[0]?.ports).toEqual([
      { port: 1, protocol: "TCP", appProtocol: "http" },
    ]);
  });

  it.each([
    ["Running", true, false, [1, 0], [1, 0]],
    ["Running", true, true, [0, 0], [1, 0]],
    ["Unknown", true, false, [1, 0], [1, 0]],
    ["Unknown", true, true, [0, 0], [1, 0]],
    ["Pending", true, false, [1, 0], [1, 0]],
    ["Pending", true, true, [0, 0], [1, 0]],
    ["Unknown", false, false, [0, 1], [1, 0]],
    ["Pending", false, false, [0, 1], [1, 0]],
    ["Failed", true, false, [0, 0], [0, 0]],
    ["Succeeded", true, false, [0, 0], [0, 0]],
  ] as const)("E024, E026, E041, E042: counts a pod that is %s, ready %s, deleted %s", (phase, ready, isLeaving, expected, published) => {
    const pod = podOf("a", { phase, ready, metadata: isLeaving ? { deletionTimestamp } : {} });
    expect([counts(serviceOf(), pod), counts(serviceOf({ publishNotReadyAddresses: true }), pod)]).toEqual([expected, published]);
  });

  it("E043: ignores versions of pods, and sees a changed address, readiness or port", () => {
    const subset = {
      addresses: [{ ip: "1", targetRef: { uid: "a", resourceVersion: "1" } }],
      notReadyAddresses: [{ ip: "2" }],
      ports: [{ port: 1 }],
    };
    expect(sameSubsets([subset], [{ ...subset, addresses: [{ ip: "1", targetRef: { uid: "a", resourceVersion: "2" } }] }])).toBe(true);
    expect(sameSubsets([subset], [{ ...subset, addresses: [{ ip: "1", targetRef: { uid: "a" } }] }])).toBe(true);
    for (const other of [
      [],
      [{ ...subset, addresses: [{ ip: "3" }] }],
      [{ ...subset, notReadyAddresses: [{ ip: "3" }] }],
      [{ ...subset, ports: [{ port: 2 }] }],
    ])
      expect(sameSubsets([subset], other)).toBe(false);
  });

  it("E044: lists the service's ports in one subset", () => {
    const ports = [
      { name: "a", port: 80, targetPort: 1 },
      { name: "b", port: 81, targetPort: 2 },
    ];
    const both = plan(serviceOf({ ports }), [podOf("a")]);
    expect(both?.subsets).toHaveLength(1);
    expect(plan(serviceOf({ ports: ports.slice(0, 1) }), [podOf("a")], both)?.subsets?.[0]?.ports).toHaveLength(1);
  });

  it("leaves out a named port that the pod lacks, and keeps the hostname of the service's subdomain", () => {
    const service = serviceOf({
      ports: [
        { name: "web", port: 80, targetPort: "http" },
        { name: "none", port: 81, targetPort: "none" },
      ],
    });
    expect(plan(service, [podOf("a", { spec: { hostname: "h", subdomain: "web" } })])?.subsets).toEqual([
      { addresses: [{ ...addressOf("a"), hostname: "h" }], ports: [{ name: "web", port: 8080, protocol: "TCP" }] },
    ]);
  });
});
