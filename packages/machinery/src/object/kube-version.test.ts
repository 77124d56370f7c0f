import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareKubeVersions } from "./kube-version.ts";

describe("compareKubeVersions", () => {
  it("puts stable before beta before alpha, higher numbers first, and other forms last alphabetically", () => {
    const ordered = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
    expect(ordered.toReversed().toSorted(compareKubeVersions)).toEqual(ordered);
  });

  it("accepts only the exact form of a version", () => {
    for (const odd of ["V1", "v1beta", "v1.1", "1", "v", "v1gamma1", "v1beta1x", "v1\n", "v99999999999999999999"]) {
      expect(compareKubeVersions("v1alpha1", odd), odd).toBe(-1);
    }
  });

  it("is a total order", () => {
    const version = fc.oneof(fc.stringMatching(/^v[0-9]{1,2}((alpha|beta)[0-9]{1,2})?$/), fc.stringMatching(/^[a-z0-9]{0,4}$/));
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareKubeVersions(a, b) + compareKubeVersions(b, a)).toBe(0);
        if (compareKubeVersions(a, b) <= 0 && compareKubeVersions(b, c) <= 0) expect(compareKubeVersions(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
