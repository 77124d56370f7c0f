import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateTopologySpread } from "./topology-spread.ts";

const constraint = { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" as const };

describe("validateTopologySpread", () => {
  it("refuses duplicate constraints", () => {
    expect(validateTopologySpread([constraint, { ...constraint, topologyKey: "node" }], "t")).toEqual([]);
    expect(texts(validateTopologySpread([constraint, constraint], "t"))).toEqual([
      't[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, ScheduleAnyway}"',
    ]);
  });

  it("allows minDomains for DoNotSchedule only", () => {
    expect(texts(validateTopologySpread([{ ...constraint, minDomains: 2 }], "t"))).toEqual([
      "t[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
    ]);
  });

  it("requires positive maxSkew, topologyKey and whenUnsatisfiable", () => {
    expect(texts(validateTopologySpread([{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Cry" as "DoNotSchedule" }], "t"))).toEqual([
      "t[0].maxSkew: Invalid value: 0: must be greater than zero",
      "t[0].topologyKey: Required value: can not be empty",
      't[0].whenUnsatisfiable: Unsupported value: "Cry": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ]);
  });
});
