import { describe, expect, it } from "vitest";
import { overlappingPathWarnings } from "./overlapping-paths.ts";

describe("overlappingPathWarnings", () => {
  it("warns about files that overlap files or directories", () => {
    const items = [
      { key: "a", path: "x" },
      { key: "b", path: "x/y" },
      { key: "c", path: "xy" },
    ];
    expect(overlappingPathWarnings([{ name: "v", configMap: { name: "c", items } }])).toEqual([
      'volume "v" (ConfigMap "c"): overlapping paths: "x/y" with "x"',
    ]);
  });

  it("names the sources of a projected volume", () => {
    const sources = [{ secret: { name: "s", items: [{ key: "a", path: "k/" }] } }, { serviceAccountToken: { path: "k" } }, {}];
    expect(overlappingPathWarnings([{ name: "v", projected: { sources } }])).toEqual([
      'volume "v" (Projected) has no sources provided',
      'volume "v" (Projected): overlapping paths: "k" (ServiceAccountToken) with "k" (Secret "s")',
    ]);
  });
});
