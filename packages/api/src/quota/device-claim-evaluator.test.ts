import { describe, expect, it } from "vitest";
import type { DeviceRequest } from "../resource/v1.ts";
import { printAmounts } from "./amounts.ts";
import { deviceClaimEvaluator } from "./device-claim-evaluator.ts";

const usage = (...requests: DeviceRequest[]): string =>
  printAmounts(deviceClaimEvaluator.usage({ metadata: {}, spec: { devices: { requests } } }))
    .split(",")
    .filter((part) => part.includes("devices="))
    .join(",");

describe("deviceClaimEvaluator", () => {
  it("counts devices by class, all of them as the most a claim can get", () => {
    expect(
      usage(
        { name: "a", exactly: { deviceClassName: "gpu", allocationMode: "ExactCount", count: 2 } },
        { name: "b", exactly: { deviceClassName: "gpu", allocationMode: "ExactCount", count: 3 } },
        { name: "c", exactly: { deviceClassName: "nic", allocationMode: "All" } },
      ),
    ).toBe("gpu.deviceclass.resource.k8s.io/devices=5,nic.deviceclass.resource.k8s.io/devices=32");
  });

  it("counts the most of each class of alternatives", () => {
    const alternative = (deviceClassName: string, count: number) => ({
      name: `${deviceClassName}${count}`,
      deviceClassName,
      allocationMode: "ExactCount" as const,
      count,
    });
    expect(usage({ name: "a", firstAvailable: [alternative("gpu", 1), alternative("gpu", 4), alternative("nic", 2)] })).toBe(
      "gpu.deviceclass.resource.k8s.io/devices=4,nic.deviceclass.resource.k8s.io/devices=2",
    );
  });

  it("counts a claim without requests", () => {
    expect(printAmounts(deviceClaimEvaluator.usage({ metadata: {}, spec: {} }))).toBe("count/resourceclaims.resource.k8s.io=1");
  });
});
