import { describe, expect, it } from "vitest";
import { StatusError } from "../../../status-error.ts";
import { keepsPreferredFamilies, settleFamilies } from "./service-families.ts";
import type { ClusterFamilies } from "./service-families.ts";
import { serviceFixture, storedService } from "../../../testing/service-fixture.ts";
import type { ServiceView } from "./service-shape.ts";

const single: ClusterFamilies = { defaultFamily: "IPv4", isDualStack: false, hasFamily: (family) => family === "IPv4" };
const dual: ClusterFamilies = { defaultFamily: "IPv4", isDualStack: true, hasFamily: (family) => family === "IPv4" || family === "IPv6" };

function settled(spec: Parameters<typeof serviceFixture>[0], cluster: ClusterFamilies, old?: ServiceView): string {
  const service = serviceFixture(spec);
  try {
    settleFamilies(service, old, cluster);
  } catch (error) {
    if (error instanceof StatusError)
      return (error.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`).join("; ");
    throw error;
  }
  return `${service.spec?.ipFamilyPolicy} ${service.spec?.ipFamilies?.join(",")} ${service.spec?.clusterIPs?.join(",") ?? ""}`.trim();
}

describe("settleFamilies", () => {
  it.each([
    [{}, single, "SingleStack IPv4"],
    [{}, dual, "SingleStack IPv4"],
    [{ ipFamilyPolicy: "PreferDualStack" }, single, "PreferDualStack IPv4"],
    [{ ipFamilyPolicy: "PreferDualStack" }, dual, "PreferDualStack IPv4,IPv6"],
    [{ ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv6"] }, dual, "RequireDualStack IPv6,IPv4"],
    [{ clusterIP: "fd00::1", clusterIPs: ["fd00::1"] }, dual, "SingleStack IPv6 fd00::1"],
    [{ clusterIP: "None", clusterIPs: ["None"] }, single, "RequireDualStack IPv4,IPv6 None"],
    [{ clusterIP: "None", clusterIPs: ["None"], selector: { a: "b" } }, single, "SingleStack IPv4 None"],
    [{ type: "ExternalName" }, single, "undefined undefined"],
  ] as const)("settles %j as: %s", (spec, cluster, expected) => {
    expect(settled(structuredClone(spec) as Parameters<typeof serviceFixture>[0], cluster)).toBe(expected);
  });

  it("reports contradictions before unavailable families", () => {
    expect(settled({ ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4", "IPv6"] }, single)).toBe(
      "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    );
    expect(settled({ ipFamilies: ["IPv6"] }, single)).toBe('spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster');
  });

  it("keeps the policy of the old Service", () => {
    const old = storedService({ ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv4", "IPv6"], clusterIPs: ["10.0.0.20", "fd00::1"] });
    expect(settled({ clusterIP: "10.0.0.20", clusterIPs: ["10.0.0.20", "fd00::1"], ipFamilies: ["IPv4", "IPv6"] }, dual, old)).toBe(
      "RequireDualStack IPv4,IPv6 10.0.0.20,fd00::1",
    );
  });

  it("drops the second family only for an explicit SingleStack", () => {
    const old = storedService({ ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv4", "IPv6"], clusterIPs: ["10.0.0.20", "fd00::1"] });
    expect(
      settled(
        { clusterIP: "10.0.0.20", clusterIPs: ["10.0.0.20", "fd00::1"], ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "SingleStack" },
        dual,
        old,
      ),
    ).toBe("SingleStack IPv4 10.0.0.20");
    expect(
      settled({ clusterIP: "10.0.0.20", clusterIPs: ["10.0.0.20"], ipFamilies: ["IPv4"], ipFamilyPolicy: "RequireDualStack" }, dual, old),
    ).toBe(
      "spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": must be 'SingleStack' to release the secondary cluster IP; " +
        "spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": must be 'SingleStack' to release the secondary IP family",
    );
  });

  it("keeps the families of a PreferDualStack Service", () => {
    const old = storedService({ ipFamilyPolicy: "PreferDualStack" });
    expect(keepsPreferredFamilies(storedService({ ipFamilyPolicy: "PreferDualStack" }), old)).toBe(true);
    expect(keepsPreferredFamilies(storedService({ ipFamilyPolicy: "PreferDualStack", type: "NodePort" }), old)).toBe(false);
    expect(keepsPreferredFamilies(storedService({ ipFamilyPolicy: "RequireDualStack" }), old)).toBe(false);
  });
});
