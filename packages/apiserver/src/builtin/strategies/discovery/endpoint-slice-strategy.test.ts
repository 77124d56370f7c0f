import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { EndpointSlice } from "@drover/api/discovery/v1";
import { endpointSliceStrategy } from "./endpoint-slice-strategy.ts";

const context = { now: 0, user: { name: "u", groups: ["g"] }, dryRun: false };
const good: EndpointSlice = {
  metadata: { name: "a" },
  addressType: "IPv4",
  endpoints: [{ addresses: ["1.2.3.4"] }],
  ports: [{ name: "", protocol: "TCP" }],
};
const texts = (change: Partial<EndpointSlice>): string[] =>
  (endpointSliceStrategy.validate?.({ ...good, ...change }) ?? []).map(printFieldError);

describe("EndpointSlice strategy", () => {
  it("requires addresses of its address type", () => {
    expect(texts({})).toEqual([]);
    expect(texts({ endpoints: [{ addresses: ["fd00::1"] }] })).toEqual([
      'endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address',
    ]);
    expect(texts({ addressType: "IPv6", endpoints: [{ addresses: ["FD00::1"] }] })).toHaveLength(1);
    expect(texts({ addressType: "FQDN", endpoints: [{ addresses: ["a.b"] }] })).toEqual([]);
  });

  it("allows 1 to 100 addresses per endpoint and 1000 endpoints", () => {
    expect(texts({ endpoints: [{ addresses: [] }] })).toEqual(["endpoints[0].addresses: Required value: must contain at least 1 address"]);
    expect(texts({ endpoints: [{ addresses: Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`) }] })).toEqual([
      "endpoints[0].addresses: Too many: 101: must have at most 100 items",
    ]);
    expect(texts({ endpoints: Array.from({ length: 1001 }, () => ({ addresses: ["1.2.3.4"] })) })).toEqual([
      "endpoints: Too many: 1001: must have at most 1000 items",
    ]);
  });

  it("requires unique port names and hints", () => {
    expect(
      texts({
        ports: [
          { name: "a", protocol: "TCP" },
          { name: "a", protocol: "TCP" },
        ],
      }),
    ).toEqual(['ports[1].name: Duplicate value: "a"']);
    expect(texts({ endpoints: [{ addresses: ["1.2.3.4"], hints: { forZones: [{ name: "z" }, { name: "z" }] } }] })).toEqual([
      'endpoints[0].hints.forZones[1].name: Duplicate value: "z"',
    ]);
  });

  it("keeps addressType immutable, and skips validation of unchanged endpoints", () => {
    const old: EndpointSlice = { ...good, endpoints: [{ addresses: [] }] };
    expect(endpointSliceStrategy.validateUpdate?.(structuredClone(old), old)).toEqual([]);
    expect((endpointSliceStrategy.validateUpdate?.({ ...old, addressType: "IPv6" }, old) ?? []).map(printFieldError)).toEqual([
      'addressType: Invalid value: "IPv6": field is immutable',
    ]);
  });

  it("drops deprecated topology, but keeps the node name", () => {
    const old: EndpointSlice = { ...good, endpoints: [{ addresses: ["1.2.3.4"], deprecatedTopology: { "kubernetes.io/hostname": "n" } }] };
    const slice: EndpointSlice = {
      ...good,
      endpoints: ["n", "m"].map((node) => ({ addresses: ["1.2.3.5"], deprecatedTopology: { "kubernetes.io/hostname": node } })),
    };
    endpointSliceStrategy.prepareForUpdate?.(slice, old, context);
    expect(slice.endpoints).toEqual([{ addresses: ["1.2.3.5"], nodeName: "n" }, { addresses: ["1.2.3.5"] }]);
  });

  it("warns about names, and about addresses not written by a controller", () => {
    expect(endpointSliceStrategy.warningsOnCreate?.({ ...good, addressType: "FQDN" })).toEqual([
      "spec.addressType: FQDN endpoints are deprecated",
    ]);
    const odd: EndpointSlice = { ...good, endpoints: [{ addresses: ["FD00::1"] }] };
    expect(endpointSliceStrategy.warningsOnUpdate?.(odd, odd)).toHaveLength(1);
    const managed = {
      ...odd,
      metadata: { name: "a", labels: { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" } },
    };
    expect(endpointSliceStrategy.warningsOnUpdate?.(managed, managed)).toEqual([]);
  });
});
