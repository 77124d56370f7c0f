import { describe, expect, it } from "vitest";
import { accessorName } from "./print-api-groups.ts";

describe("accessorName", () => {
  it.each([
    ["ConfigMap", "configmaps", "configMaps"],
    ["Endpoints", "endpoints", "endpoints"],
    ["NetworkPolicy", "networkpolicies", "networkPolicies"],
    ["CSIDriver", "csidrivers", "csiDrivers"],
    ["IPAddress", "ipaddresses", "ipAddresses"],
    ["ServiceCIDR", "servicecidrs", "serviceCIDRs"],
    ["APIService", "apiservices", "apiServices"],
  ])("writes %s with the plural %s as %s", (kind, plural, name) => {
    expect(accessorName(kind, plural)).toBe(name);
  });
});
