import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { DeviceRequest } from "@drover/api/resource/v1";
import { resourceClaimStrategy, resourceClaimTemplateStrategy, resourceSliceStrategy } from "./device-strategies.ts";

const metadata = { name: "a" };
const good: DeviceRequest = { name: "r", exactly: { deviceClassName: "c", allocationMode: "ExactCount", count: 1 } };
const texts = (...requests: DeviceRequest[]): string[] =>
  (resourceClaimStrategy.validate?.({ metadata, spec: { devices: { requests } } }) ?? []).map(printFieldError);

describe("ResourceClaim strategy", () => {
  it("requires unique request names and exactly one kind of request", () => {
    expect(texts(good)).toEqual([]);
    expect(texts(good, good)).toEqual(['spec.devices.requests[1].name: Duplicate value: "r"']);
    expect(texts({ name: "r" })).toEqual([
      "spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
    ]);
    expect(texts({ name: "r", exactly: { deviceClassName: "", allocationMode: "Zed" as "All" } })).toEqual([
      "spec.devices.requests[0].exactly.deviceClassName: Required value",
      'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Zed": supported values: "All", "ExactCount"',
    ]);
  });

  it("keeps the spec immutable, also in templates", () => {
    const spec = { devices: { requests: [good] } };
    expect(resourceClaimStrategy.validateUpdate?.({ metadata, spec: {} }, { metadata, spec })).toHaveLength(1);
    expect(resourceClaimTemplateStrategy.validateUpdate?.({ metadata, spec: { spec } }, { metadata, spec: { spec } })).toEqual([]);
  });
});

describe("ResourceSlice strategy", () => {
  it("requires driver, pool and exactly one location", () => {
    const spec = { driver: "d", nodeName: "n", pool: { name: "p", generation: 1, resourceSliceCount: 1 } };
    expect(resourceSliceStrategy.validate?.({ metadata, spec })).toEqual([]);
    expect(
      (resourceSliceStrategy.validateUpdate?.({ metadata, spec: { ...spec, driver: "e" } }, { metadata, spec }) ?? []).map(printFieldError),
    ).toEqual(['spec.driver: Invalid value: "e": field is immutable']);
    const { nodeName: _, ...nowhere } = spec;
    expect(resourceSliceStrategy.validate?.({ metadata, spec: nowhere })).toHaveLength(1);
  });
});
