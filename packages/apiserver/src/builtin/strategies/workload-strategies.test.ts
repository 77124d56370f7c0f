import { kinds } from "@drover/api";
import { describe, expect, it } from "vitest";
import { workloadStrategies } from "./workload-strategies.ts";

describe("workloadStrategies", () => {
  it("belong to existing kinds", () => {
    const known = new Set(kinds.map(({ group, version, kind }) => `${group}/${version}/${kind}`));
    expect([...workloadStrategies.keys()].filter((key) => !known.has(key))).toEqual([]);
  });

  it("cover every updatable subresource of their kinds", () => {
    for (const { group, version, kind, subresources } of kinds) {
      const strategy = workloadStrategies.get(`${group}/${version}/${kind}`);
      if (strategy === undefined) continue;
      const updated = Object.entries(subresources)
        .filter(([name, { verbs }]) => name !== "status" && name !== "scale" && name !== "proxy" && verbs.includes("update"))
        .map(([name]) => name);
      expect(
        updated.filter((name) => strategy.subresources?.[name] === undefined),
        kind,
      ).toEqual([]);
    }
  });
});
