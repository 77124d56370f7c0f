import { ManualClock } from "@drover/machinery/testing";
import { formatTime } from "@drover/machinery";
import type { ResourceClaim, ResourceClaimTemplate, ResourceSlice } from "@drover/api/resource/v1";
import { describe, expect, it } from "vitest";
import { setResourceClaimDefaults, setResourceClaimTemplateDefaults, setResourceSliceDefaults } from "./device-defaults.ts";

describe("defaults of ResourceClaim", () => {
  it("request exactly one device", () => {
    const claim: ResourceClaim = {
      metadata: {},
      spec: {
        devices: {
          requests: [
            { name: "a", exactly: { deviceClassName: "c" } },
            { name: "b", exactly: { deviceClassName: "c", allocationMode: "All" } },
          ],
        },
      },
    };
    setResourceClaimDefaults(claim);
    expect(claim.spec.devices?.requests?.map(({ exactly }) => exactly)).toEqual([
      { deviceClassName: "c", allocationMode: "ExactCount", count: 1 },
      { deviceClassName: "c", allocationMode: "All" },
    ]);
  });

  it("set the toleration operator Equal in requests and results", () => {
    const claim: ResourceClaim = {
      metadata: {},
      spec: { devices: { requests: [{ name: "a", exactly: { deviceClassName: "c", tolerations: [{}] } }] } },
      status: {
        allocation: {
          devices: { results: [{ device: "d", driver: "r", pool: "p", request: "a", tolerations: [{ operator: "Exists" }, {}] }] },
        },
      },
    };
    setResourceClaimDefaults(claim);
    expect(claim.spec.devices?.requests?.[0]?.exactly?.tolerations).toEqual([{ operator: "Equal" }]);
    expect(claim.status?.allocation?.devices?.results?.[0]?.tolerations).toEqual([{ operator: "Exists" }, { operator: "Equal" }]);
  });

  it("apply to ResourceClaimTemplate", () => {
    const template: ResourceClaimTemplate = {
      metadata: {},
      spec: { spec: { devices: { requests: [{ name: "a", firstAvailable: [{ name: "s", deviceClassName: "c" }] }] } } },
    };
    setResourceClaimTemplateDefaults(template);
    expect(template.spec.spec.devices?.requests?.[0]?.firstAvailable).toEqual([
      { name: "s", deviceClassName: "c", allocationMode: "ExactCount", count: 1 },
    ]);
  });
});

describe("defaults of ResourceSlice", () => {
  it("set the time of new taints to now", () => {
    const clock = new ManualClock();
    const slice: ResourceSlice = {
      metadata: {},
      spec: {
        driver: "d",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        devices: [
          {
            name: "d",
            taints: [
              { key: "k", effect: "None" },
              { key: "l", effect: "None", timeAdded: "2024-01-02T03:04:05Z" },
            ],
          },
        ],
      },
    };
    setResourceSliceDefaults(slice, { clock });
    expect(slice.spec.devices?.[0]?.taints?.map(({ timeAdded }) => timeAdded)).toEqual([formatTime(clock.now()), "2024-01-02T03:04:05Z"]);
  });

  it("map device capacity to node resources one to one", () => {
    const slice: ResourceSlice = {
      metadata: {},
      spec: {
        driver: "d",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        devices: [{ name: "d", nodeAllocatableResourceMappings: { cpu: {}, memory: { allocationMultiplier: "2" } } }],
      },
    };
    setResourceSliceDefaults(slice, { clock: new ManualClock() });
    expect(slice.spec.devices?.[0]?.nodeAllocatableResourceMappings).toEqual({
      cpu: { allocationMultiplier: "1" },
      memory: { allocationMultiplier: "2" },
    });
  });
});
