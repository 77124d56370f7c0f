import { PriorityClass } from "@drover/api/scheduling/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("PriorityClass table", () => {
  it("prints values as numbers", () => {
    expect(printed(PriorityClass, { value: -5, globalDefault: true, preemptionPolicy: "Never" })).toEqual({
      Name: "web",
      Value: -5,
      "Global-Default": true,
      Age: "5m",
      PreemptionPolicy: "Never",
    });
    expect(printed(PriorityClass, {})).toMatchObject({ Value: 0, "Global-Default": false, PreemptionPolicy: "PreemptLowerPriority" });
  });
});
