import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { kstatus } from "./kstatus.ts";

const clock = new ManualClock();
const conditions = kstatus();
const { reconciling, stalled } = conditions;
const state = (subject: object): string =>
  `${reconciling.getStatus(subject)} ${stalled.getStatus(subject)} ${reconciling.getMessage(subject)}${stalled.getMessage(subject)}`;

describe("kstatus", () => {
  it("sets Reconciling, Stalled or neither, never both (§2.5.2)", () => {
    const busy = conditions.setTransitioning({}, "rolling out", clock);
    expect(state(busy)).toBe("True False rolling out");
    const stuck = conditions.setError(busy, new Error("no quota"), clock);
    expect(state(stuck)).toBe("False True no quota");
    expect(state(conditions.setActive(stuck, clock))).toBe("False False ");
    expect(state(conditions.setError(stuck, undefined, clock))).toBe("False False ");
  });
});
