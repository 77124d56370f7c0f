import { describe, expect, it } from "vitest";
import { familyOf, hasClusterIp, podIps, serviceFamilies } from "./ip-family.ts";
import { podOf, serviceOf } from "./testing/endpoint-objects.ts";

describe("IP families", () => {
  it("of an address follow its notation", () => {
    expect([familyOf("10.0.0.1"), familyOf("fd00::1"), familyOf("web")]).toEqual(["IPv4", "IPv6", undefined]);
  });

  it("of a service are its own, or that of its cluster IP", () => {
    expect(serviceFamilies(serviceOf({ ipFamilies: ["IPv6", "IPv4"] }))).toEqual(["IPv6", "IPv4"]);
    expect(serviceFamilies(serviceOf({ ipFamilies: [], clusterIP: "fd00::1" }))).toEqual(["IPv6"]);
    expect(serviceFamilies(serviceOf({ ipFamilies: [], clusterIP: "None" }))).toEqual([]);
    expect(["10.0.0.1", "None", ""].map((clusterIP) => hasClusterIp(serviceOf({ clusterIP })))).toEqual([true, false, false]);
  });

  it("of a pod are those of all its addresses; an old pod has only the first", () => {
    expect(podIps(podOf("a", { ips: ["10.0.0.1", "fd00::1"] }))).toEqual(["10.0.0.1", "fd00::1"]);
    expect(podIps({ metadata: {}, status: { podIP: "10.0.0.1" } })).toEqual(["10.0.0.1"]);
    expect(podIps({ metadata: {}, status: { podIP: "" } })).toEqual([]);
  });
});
