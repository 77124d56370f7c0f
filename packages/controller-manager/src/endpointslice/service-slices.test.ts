import type { Node, Pod, Service } from "@drover/api/core/v1";
import type { Endpoint, EndpointSlice } from "@drover/api/discovery/v1";
import { definedOnly } from "@drover/machinery";
import type { DeepReadonly, ObjectMeta } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { podOf, podsOf, serviceOf } from "../endpoints/testing/endpoint-objects.ts";
import { addressTypes, planServiceSlices } from "./service-slices.ts";
import type { ServiceSlicesPlan } from "./service-slices.ts";

type Slices = readonly DeepReadonly<EndpointSlice>[];
const node: Node = { metadata: { name: "node-1", labels: { "topology.kubernetes.io/zone": "east" } } };
const plan = (
  service: Service,
  pods: readonly Pod[],
  existing: Slices = [],
  nodeOf: (name: string) => Node | undefined = () => node,
): ServiceSlicesPlan => planServiceSlices({ service, pods, existing, nodeOf, max: 100, triggerTime: undefined });
/** As the server would keep them. */
const kept = (slices: Slices): Slices =>
  slices.map((slice, index) => ({ ...slice, metadata: { ...slice.metadata, name: slice.metadata.name ?? `web-${index}` } }));
const writes = ({ create, update, delete: gone }: ServiceSlicesPlan): readonly number[] => [create.length, update.length, gone.length];
const endpointOf = (service: Service, pod: Pod): DeepReadonly<Endpoint> | undefined => plan(service, [pod]).create[0]?.endpoints?.[0];
const fromServer = (slice: object): EndpointSlice => JSON.parse(JSON.stringify(slice)) as EndpointSlice;
const labelled = (labels: Record<string, string>): ObjectMeta => ({ labels });

describe("planServiceSlices", () => {
  it("S002, S029: keeps one placeholder without endpoints", () => {
    const { create } = plan(serviceOf(), []);
    expect(create).toMatchObject([
      {
        addressType: "IPv4",
        endpoints: [],
        ports: [],
        metadata: { generateName: "web-", ownerReferences: [{ kind: "Service", name: "web", uid: "uid-service", controller: true }] },
      },
    ]);
    expect(writes(plan(serviceOf(), [], kept(create)))).toEqual([0, 0, 0]);
    for (const empty of [{}, { endpoints: null, ports: null }]) {
      // Go writes an empty list as null.
      const stored = kept(create).map(({ endpoints: _, ports: __, ...slice }) => fromServer({ ...slice, ...empty }));
      expect(writes(plan(serviceOf(), [], stored))).toEqual([0, 0, 0]);
      expect(writes(plan(serviceOf(), podsOf(1), stored))).toEqual([0, 1, 0]);
    }
  });

  it("S006: keeps one placeholder when no endpoint is left", () => {
    const two = [...plan(serviceOf(), podsOf(1)).create, ...plan(serviceOf(), podsOf(1, {}, 1)).create];
    expect(writes(plan(serviceOf(), [], kept(two)))).toEqual([0, 1, 1]);
  });

  it("S008, S031: creates a slice for each family of the service", () => {
    const dual = podOf("a", { ips: ["10.0.0.1", "fd00::1"] });
    const of = (spec: Service["spec"]): readonly unknown[] =>
      plan(serviceOf(spec), [dual]).create.map(({ addressType, endpoints }) => [addressType, endpoints?.[0]?.addresses]);
    expect(of({ ipFamilies: ["IPv4"] })).toEqual([["IPv4", ["10.0.0.1"]]]);
    expect(of({ ipFamilies: ["IPv6"] })).toEqual([["IPv6", ["fd00::1"]]]);
    expect(of({ ipFamilies: ["IPv4", "IPv6"] })).toEqual([
      ["IPv4", ["10.0.0.1"]],
      ["IPv6", ["fd00::1"]],
    ]);
    expect(addressTypes(serviceOf({ ipFamilies: [], clusterIP: "fd01::1" }))).toEqual(["IPv6"]);
    expect(addressTypes(serviceOf({ ipFamilies: [], clusterIP: "None" }))).toEqual(["IPv4", "IPv6"]);
  });

  it("S009: sets ready, serving and terminating of endpoints", () => {
    const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    const conditions = (spec: Service["spec"], pod: Pod): unknown => endpointOf(serviceOf(spec), pod)?.conditions;
    expect(conditions({}, podOf("a"))).toEqual({ ready: true, serving: true, terminating: false });
    expect(conditions({}, podOf("a", { metadata: leaving }))).toEqual({ ready: false, serving: true, terminating: true });
    expect(conditions({}, podOf("a", { ready: false }))).toEqual({ ready: false, serving: false, terminating: false });
    expect(conditions({ publishNotReadyAddresses: true }, podOf("a", { ready: false, metadata: leaving }))).toEqual({
      ready: true,
      serving: false,
      terminating: true,
    });
  });

  it("S011, S012: lists two ready pods of one address, and no finished pod", () => {
    expect(plan(serviceOf(), [podOf("a"), podOf("b")]).create[0]?.endpoints).toHaveLength(2);
    expect(plan(serviceOf(), [podOf("a"), podOf("b", { phase: "Succeeded" })]).create[0]?.endpoints).toHaveLength(1);
  });

  it("S018, S021: reuses slices when ports change, with few writes", () => {
    const changed = serviceOf({ ports: [{ port: 80, targetPort: 9090 }] });
    const three = kept(plan(serviceOf(), podsOf(250)).create);
    expect(writes(plan(changed, podsOf(250), three))).toEqual([0, 3, 0]);
    const ten = kept(Array.from({ length: 10 }, (_, index) => plan(serviceOf(), podsOf(30, {}, index * 30)).create).flat());
    expect(writes(plan(serviceOf(), podsOf(300), ten))).toEqual([0, 0, 0]);
    const replaced = plan(changed, podsOf(300), ten);
    expect([writes(replaced), replaced.update.map(({ endpoints }) => endpoints?.length)]).toEqual([
      [0, 3, 7],
      [100, 100, 100],
    ]);
  });

  it("S023: deletes slices of other families instead of reusing them", () => {
    const deprecated = kept(plan(serviceOf(), podsOf(130)).create).map((slice) => ({ ...slice, addressType: "FQDN" as const }));
    const replaced = plan(serviceOf(), podsOf(130), deprecated);
    expect([writes(replaced), replaced.create.map(({ endpoints }) => endpoints?.length)]).toEqual([
      [2, 0, 2],
      [100, 30],
    ]);
  });

  it("S024: replaces slices of an earlier service of the name and keeps its own", () => {
    const existing = kept(plan(serviceOf(), podsOf(3)).create);
    expect(writes(plan(serviceOf(), podsOf(3), existing))).toEqual([0, 0, 0]);
    expect(writes(plan(serviceOf({}, { uid: "another" }), podsOf(3), existing))).toEqual([1, 0, 1]);
  });

  it("S027: creates none for a service that is being deleted, but corrects existing ones", () => {
    const going = serviceOf({}, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(writes(plan(going, podsOf(3)))).toEqual([0, 0, 0]);
    expect(writes(plan(going, podsOf(3), kept(plan(serviceOf(), podsOf(2)).create)))).toEqual([0, 1, 0]);
  });

  it("S028: leaves out and reports a pod with an unknown node, unless it publishes unready addresses", () => {
    const pods = [podOf("a"), podOf("b", { ips: ["10.0.0.2"], spec: { nodeName: "lost" } })];
    const known = (name: string): Node | undefined => (name === "lost" ? undefined : node);
    const partly = plan(serviceOf(), pods, [], known);
    expect([partly.create[0]?.endpoints?.length, partly.problems]).toEqual([
      1,
      ["skipping Pod b for Service shop/web: Node lost Not Found"],
    ]);
    const all = plan(serviceOf({ publishNotReadyAddresses: true }), pods, [], known);
    expect([all.create[0]?.endpoints?.map(({ zone }) => zone), all.problems]).toEqual([["east", undefined], []]);
  });

  it("S019, S031, S032: copies the service's labels without overriding its own, and labels headless services", () => {
    const [create] = plan(
      serviceOf(
        {},
        labelled({
          mine: "x",
          "kubernetes.io/service-name": "bad",
          "endpointslice.kubernetes.io/managed-by": "bad",
          "service.kubernetes.io/headless": "",
        }),
      ),
      [],
    ).create;
    expect(create?.metadata.labels).toEqual({
      mine: "x",
      "kubernetes.io/service-name": "web",
      "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    });
    expect(plan(serviceOf({ clusterIP: "None" }), []).create[0]?.metadata.labels?.["service.kubernetes.io/headless"]).toBe("");
    const existing = kept(plan(serviceOf(), podsOf(250)).create);
    expect(writes(plan(serviceOf({}, labelled({ a: "b" })), podsOf(250), existing))).toEqual([0, 3, 0]);
  });

  it.each(
    ["10.1.0.1", "None"].flatMap((clusterIP) =>
      [undefined, "", "x"].flatMap((ofService) => [undefined, "", "x"].map((ofSlice) => [clusterIP, ofService, ofSlice] as const)),
    ),
  )("S032: labels slices as headless for cluster IP %s, with service label %s and slice label %s", (clusterIP, ofService, ofSlice) => {
    const headless = (value: string | undefined): Record<string, string> => definedOnly({ "service.kubernetes.io/headless": value });
    const service = serviceOf({ clusterIP }, labelled(headless(ofService)));
    const existing = kept(plan(serviceOf(), podsOf(1)).create).map((slice) => ({
      ...slice,
      metadata: { ...slice.metadata, labels: { ...slice.metadata.labels, ...headless(ofSlice) } },
    }));
    const { create, update, delete: gone } = plan(service, podsOf(1), existing);
    const [after] = [...update, ...existing];
    expect([create.length, gone.length, after?.metadata.labels?.["service.kubernetes.io/headless"]]).toEqual([
      0,
      0,
      clusterIP === "None" ? "" : undefined,
    ]);
  });

  it("S041: sets hints for ready endpoints with trafficDistribution, and removes them again", () => {
    const close = serviceOf({ trafficDistribution: "PreferClose" });
    expect(endpointOf(close, podOf("a"))?.hints).toEqual({ forZones: [{ name: "east" }] });
    expect(endpointOf(serviceOf({ trafficDistribution: "PreferSameNode" }), podOf("a"))?.hints).toEqual({
      forZones: [{ name: "east" }],
      forNodes: [{ name: "node-1" }],
    });
    expect(endpointOf(close, podOf("a", { ready: false }))?.hints).toBeUndefined();
    expect(
      endpointOf(
        serviceOf({ trafficDistribution: "PreferClose" }, { annotations: { "service.kubernetes.io/topology-mode": "Auto" } }),
        podOf("a"),
      )?.hints,
    ).toBeUndefined();
    expect(writes(plan(serviceOf(), podsOf(3), kept(plan(close, podsOf(3)).create)))).toEqual([0, 1, 0]);
    expect(writes(plan(close, podsOf(3), kept(plan(close, podsOf(3)).create)))).toEqual([0, 0, 0]);
  });

  it("groups pods by their actual ports", () => {
    const named = serviceOf({ ports: [{ port: 80, targetPort: "http" }] });
    const other = podOf("b", {
      ips: ["10.0.0.2"],
      spec: { containers: [{ name: "web", ports: [{ name: "http", containerPort: 9090 }] }] },
    });
    expect(plan(named, [podOf("a"), other]).create.map(({ ports, endpoints }) => [ports?.[0]?.port, endpoints?.length])).toEqual([
      [8080, 1],
      [9090, 1],
    ]);
  });
});
