import type { Endpoints } from "@drover/api/core/v1";
import type { EndpointSlice } from "@drover/api/discovery/v1";
import { describe, expect, it } from "vitest";
import { setEndpointsDefaults, setEndpointSliceDefaults } from "./endpoints-defaults.ts";

describe("defaults of Endpoints", () => {
  it("set the port protocol TCP", () => {
    const endpoints: Endpoints = { metadata: {}, subsets: [{ ports: [{ port: 80 }, { port: 53, protocol: "UDP" }] }, {}] };
    setEndpointsDefaults(endpoints);
    expect(endpoints.subsets?.[0]?.ports).toEqual([
      { port: 80, protocol: "TCP" },
      { port: 53, protocol: "UDP" },
    ]);
  });
});

describe("defaults of EndpointSlice", () => {
  it("set an empty port name and the protocol TCP", () => {
    const slice: EndpointSlice = { metadata: {}, addressType: "IPv4", ports: [{}, { name: "a", protocol: "SCTP" }] };
    setEndpointSliceDefaults(slice);
    expect(slice.ports).toEqual([
      { name: "", protocol: "TCP" },
      { name: "a", protocol: "SCTP" },
    ]);
    expect(() => setEndpointSliceDefaults({ metadata: {}, addressType: "IPv4", ports: null as never })).not.toThrow();
  });
});
