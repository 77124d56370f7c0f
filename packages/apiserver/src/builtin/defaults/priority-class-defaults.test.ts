import type { PriorityClass } from "@drover/api/scheduling/v1";
import { describe, expect, it } from "vitest";
import { setPriorityClassDefaults } from "./priority-class-defaults.ts";

describe("defaults of PriorityClass", () => {
  it("set preemptionPolicy PreemptLowerPriority", () => {
    const classes: PriorityClass[] = [
      { metadata: {}, value: 1 },
      { metadata: {}, value: 1, preemptionPolicy: "Never" },
    ];
    classes.forEach(setPriorityClassDefaults);
    expect(classes.map(({ preemptionPolicy }) => preemptionPolicy)).toEqual(["PreemptLowerPriority", "Never"]);
  });
});
