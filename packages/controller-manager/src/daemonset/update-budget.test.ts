import { describe, expect, it } from "vitest";
import { daemonSet } from "../testing/daemon-set-objects.ts";
import { allowsSurge, updateBudget } from "./update-budget.ts";

describe("updateBudget", () => {
  it("rounds percentages of nodes up", () => {
    expect(updateBudget(daemonSet({ unavailable: "50%" }), 5)).toEqual({ surge: 0, unavailable: 3 });
    expect(updateBudget(daemonSet({ unavailable: 0, surge: "25%" }), 5)).toEqual({ surge: 2, unavailable: 0 });
  });

  it("allows one unavailable pod when both are zero, unless there is nothing to update", () => {
    expect(updateBudget(daemonSet({ unavailable: 0 }), 5)).toEqual({ surge: 0, unavailable: 1 });
    expect(updateBudget(daemonSet({ unavailable: "0%" }), 0)).toEqual({ surge: 0, unavailable: 0 });
  });

  it("allows two pods per node only for a rolling update with maxSurge", () => {
    expect([
      allowsSurge(daemonSet()),
      allowsSurge(daemonSet({ surge: "1%" })),
      allowsSurge(daemonSet({ strategy: "OnDelete", surge: 1 })),
    ]).toEqual([false, true, false]);
  });
});
