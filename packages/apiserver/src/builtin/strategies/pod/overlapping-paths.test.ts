import { describe, expect, it } from "vitest";
import { overlappingPathWarnings } from "./overlapping-paths.ts";

describe("overlappingPathWarnings", () => {
  it("tells of files over files and of files over folders", () => {
    const items = [
      { key: "a", path: "x" },
      { key: "b", path: "x/y" },
      { key: "c", path: "xy" },
    ];
    expect(overlappingPathWarnings([{ name: "v", configMap: { name: "c", items } }])).toEqual([
      'volume "v" (ConfigMap "c"): overlapping paths: "x/y" with "x"',
    ]);
  });

  it("tells which sources they come from", () => {
    const sources = [{ secret: { name: "s", items: [{ key: "a", path: "k/" }] } }, { serviceAccountToken: { path: "k" } }, {}];
    expect(overlappingPathWarnings([{ name: "v", projected: { sources } }])).toEqual([
      'volume "v" (Projected) has no sources provided',
      'volume "v" (Projected): overlapping paths: "k" (ServiceAccountToken) with "k" (Secret "s")',
    ]);
  });
});
