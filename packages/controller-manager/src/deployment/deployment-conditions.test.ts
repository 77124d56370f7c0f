import { describe, expect, it } from "vitest";
import { ago } from "../testing/workload-objects.ts";
import { findDeploymentCondition, withDeploymentCondition, withoutDeploymentCondition } from "./deployment-conditions.ts";
import type { StatedDeploymentCondition } from "./deployment-conditions.ts";

const stated = (type: string, status: string, reason: string, seconds = 0): StatedDeploymentCondition => ({
  type,
  status,
  reason,
  message: `${reason}, ${seconds}`,
  lastUpdateTime: ago(seconds),
  lastTransitionTime: ago(seconds),
});

describe("withDeploymentCondition", () => {
  it("D086: finds conditions by type, sets, appends, overwrites and removes them", () => {
    const [one] = withDeploymentCondition(undefined, stated("Progressing", "True", "A"));
    expect(one).toEqual(stated("Progressing", "True", "A"));
    const two = withDeploymentCondition([stated("Progressing", "True", "A")], stated("Available", "True", "B"));
    expect(two.map(({ type }) => type)).toEqual(["Progressing", "Available"]);
    expect(withDeploymentCondition(two, stated("Progressing", "False", "C")).map(({ type, reason }) => [type, reason])).toEqual([
      ["Available", "B"],
      ["Progressing", "C"],
    ]);
    expect(withoutDeploymentCondition(two, "Nothing")).toEqual(two);
    expect(withoutDeploymentCondition(undefined, "Nothing")).toEqual([]);
    expect(findDeploymentCondition(two, "Available")?.reason).toBe("B");
    expect([findDeploymentCondition(two, "Nothing"), findDeploymentCondition(undefined, "Available")]).toEqual([undefined, undefined]);
  });

  it("keeps a condition, message included, when status and reason are equal", () => {
    const before = [stated("Available", "True", "B", 9)];
    expect(withDeploymentCondition(before, stated("Available", "True", "B"))).toBe(before);
  });

  it("keeps the transition time while the status is equal", () => {
    expect(withDeploymentCondition([stated("Available", "True", "B", 9)], stated("Available", "True", "C"))).toMatchObject([
      { reason: "C", lastUpdateTime: ago(0), lastTransitionTime: ago(9) },
    ]);
    expect(withDeploymentCondition([stated("Available", "True", "B", 9)], stated("Available", "False", "C"))).toMatchObject([
      { lastTransitionTime: ago(0) },
    ]);
  });
});
