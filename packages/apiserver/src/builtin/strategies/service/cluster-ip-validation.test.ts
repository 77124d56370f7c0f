import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateClusterIps, validateClusterIpsUpdate, validateFamiliesUpdate } from "./cluster-ip-validation.ts";
import { serviceFixture, storedService } from "../../../testing/service-fixture.ts";

describe("validateClusterIps", () => {
  const texts = (spec: Parameters<typeof serviceFixture>[0]): string[] =>
    validateClusterIps(serviceFixture(spec), undefined).map(printFieldError);

  it("accepts unset addresses and None", () => {
    expect([texts({}), texts({ clusterIP: "None", clusterIPs: ["None"] }), texts({ type: "ExternalName", clusterIP: "x" })]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("requires clusterIPs to agree with clusterIP", () => {
    expect(texts({ clusterIP: "10.0.0.1" })).toEqual(["spec.clusterIPs: Required value"]);
    expect(texts({ clusterIPs: ["10.0.0.1"] })).toEqual([
      'spec.clusterIPs: Invalid value: ["10.0.0.1"]: must be empty when `clusterIP` is not specified',
    ]);
    expect(texts({ clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.2"] })).toEqual([
      'spec.clusterIPs: Invalid value: ["10.0.0.2"]: first value must match `clusterIP`',
    ]);
  });

  it("requires one address per family, in the order of families", () => {
    expect(texts({ clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1", "10.0.0.2"] })).toEqual([
      'spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family',
    ]);
    expect(texts({ clusterIP: "fd00::1", clusterIPs: ["fd00::1"], ipFamilies: ["IPv4"] })).toEqual([
      'spec.clusterIPs[0]: Invalid value: "fd00::1": expected an IPv4 value as indicated by `ipFamilies[0]`',
    ]);
  });

  it("validates the format first", () => {
    expect(texts({ clusterIP: "x", clusterIPs: ["x", "x"] })).toHaveLength(2);
  });

  it("accepts invalid values that existed before", () => {
    const old = storedService({ clusterIP: "010.0.0.1", clusterIPs: ["010.0.0.1"] });
    expect(validateClusterIps(old, old)).toEqual([]);
    expect(validateClusterIps(old, undefined)).toHaveLength(1);
  });
});

describe("validateClusterIpsUpdate", () => {
  const two = storedService({ clusterIPs: ["10.0.0.20", "fd00::1"], ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" });

  it("keeps the primary address immutable", () => {
    expect(validateClusterIpsUpdate(storedService({ clusterIPs: ["10.0.0.21"] }), storedService()).map(printFieldError)).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.21"]: may not change once set',
    ]);
    expect(validateClusterIpsUpdate(storedService({ clusterIPs: [] }), storedService()).map(printFieldError)).toEqual([
      "spec.clusterIPs[0]: Invalid value: []: primary clusterIP can not be unset",
    ]);
    expect(validateClusterIpsUpdate(storedService({ clusterIPs: ["10.0.0.21", "fd00::1"] }), storedService())).toHaveLength(1);
  });

  it("allows dropping the secondary address only with the policy", () => {
    expect(validateClusterIpsUpdate(storedService(), two)).toEqual([]);
    expect(validateClusterIpsUpdate(storedService({ ipFamilyPolicy: "PreferDualStack" }), two).map(printFieldError)).toEqual([
      "spec.ipFamilyPolicy: Invalid value: \"PreferDualStack\": must be set to 'SingleStack' when releasing the secondary clusterIP",
    ]);
  });

  it("ignores headless Services", () => {
    expect(validateClusterIpsUpdate(storedService({ type: "ExternalName" }), storedService())).toEqual([]);
    expect(validateClusterIpsUpdate(storedService({ clusterIPs: ["None"] }), storedService({ clusterIPs: ["None"] }))).toEqual([]);
  });

  it("keeps the primary family immutable", () => {
    expect(validateFamiliesUpdate(storedService({ ipFamilies: ["IPv6"] }), storedService()).map(printFieldError)).toEqual([
      'spec.ipFamilies[0]: Invalid value: ["IPv6"]: may not change once set',
    ]);
    expect(validateFamiliesUpdate(storedService({ ipFamilies: ["IPv6", "IPv4"] }), storedService()).map(printFieldError)).toEqual([
      'spec.ipFamilies[0]: Invalid value: ["10.0.0.20"]: may not change once set',
    ]);
    expect(validateFamiliesUpdate(storedService({ ipFamilyPolicy: "PreferDualStack" }), two)).toHaveLength(1);
    expect(validateFamiliesUpdate(two, storedService())).toEqual([]);
  });
});
