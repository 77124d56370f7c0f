import type { Endpoints } from "@drover/api/core/v1";
import type { EndpointSlice } from "@drover/api/discovery/v1";
import { describe, expect, it } from "vitest";
import { setEndpointsDefaults, setEndpointSliceDefaults } from "./endpoints-defaults.ts";

describe("endpoints", () => {
  it("speak TCP", () => {
    const endpoints: Endpoints = { metadata: {}, subsets: [{ ports: [{ port: 80 }, { port: 53, protocol: "UDP" }] }, {}] };
    setEndpointsDefaults(endpoints);
    expect(endpoints.subsets?.[0]?.ports).toEqual([
      { port: 80, protocol: "TCP" },
      { port: 53, protocol: "UDP" },
    ]);
  });
});

describe("a slice of endpoints", () => {
  it("has ports with a name, though it be empty, that speak TCP", () => {
    const slice: EndpointSlice = { metadata: {}, addressType: "IPv4", ports: [{}, { name: "a", protocol: "SCTP" }] };
    setEndpointSliceDefaults(slice);
    expect(slice.ports).toEqual([
      { name: "", protocol: "TCP" },
      { name: "a", protocol: "SCTP" },
    ]);
    expect(() => setEndpointSliceDefaults({ metadata: {}, addressType: "IPv4", ports: null as never })).not.toThrow();
  });
});
