import { PodDisruptionBudget } from "@drover/api/policy/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("PodDisruptionBudget table", () => {
  it("has the limit that is set", () => {
    expect(printed(PodDisruptionBudget, { spec: { minAvailable: "30%" }, status: { disruptionsAllowed: 2 } })).toEqual({
      Name: "web",
      "Min Available": "30%",
      "Max Unavailable": "N/A",
      "Allowed Disruptions": 2,
      Age: "5m",
    });
    expect(printed(PodDisruptionBudget, { spec: { maxUnavailable: 0 } })).toMatchObject({
      "Min Available": "N/A",
      "Max Unavailable": "0",
      "Allowed Disruptions": 0,
    });
  });
});
