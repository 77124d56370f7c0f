import type { ResourceQuota } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setResourceQuotaDefaults } from "./resource-quota-defaults.ts";

describe("defaults of ResourceQuota", () => {
  it("round all quantities", () => {
    const quota: ResourceQuota = { metadata: {}, spec: { hard: { cpu: "1u" } }, status: { hard: { cpu: "1u" }, used: { cpu: "1u" } } };
    setResourceQuotaDefaults(quota);
    expect(quota).toEqual({ metadata: {}, spec: { hard: { cpu: "1m" } }, status: { hard: { cpu: "1m" }, used: { cpu: "1m" } } });
  });
});
