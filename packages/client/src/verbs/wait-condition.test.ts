import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { conditionIs, conditionTrue, deleted, deletedUid, exists } from "./wait-condition.ts";

const pod = (conditions: unknown, rest: object = {}, generation = 1): KubeObject =>
  ({ metadata: { name: "web", uid: "u-1", generation }, status: { conditions, ...rest } }) as KubeObject;

describe("exists, deleted and deletedUid", () => {
  it("test an object or its absence", () => {
    expect([exists(pod([])), exists(undefined), deleted(pod([])), deleted(undefined)]).toEqual([true, false, false, true]);
  });

  it("hold for a uid also if another object has its name", () => {
    expect([deletedUid("u-1")(pod([])), deletedUid("u-0")(pod([])), deletedUid("u-1")(undefined)]).toEqual([false, true, true]);
  });
});

describe("conditionIs", () => {
  const ready = { type: "Ready", status: "True" };
  it("finds the condition and compares case-insensitively, as kubectl does", () => {
    expect(conditionTrue("Ready")(pod([{ type: "Other", status: "False" }, ready]))).toBe(true);
    expect(conditionTrue("ready")(pod([ready]))).toBe(true);
    expect(conditionTrue("Ready")(pod([{ ...ready, status: "False" }]))).toBe(false);
    expect(conditionIs("Ready", "False")(pod([{ ...ready, status: "False" }]))).toBe(true);
  });

  it("ignores a condition observed at an older generation", () => {
    expect(conditionTrue("Ready")(pod([{ ...ready, observedGeneration: 1 }], {}, 2))).toBe(false);
    expect(conditionTrue("Ready")(pod([{ ...ready, observedGeneration: 2 }], { observedGeneration: 1 }, 2))).toBe(true);
    expect(conditionTrue("Ready")(pod([ready], { observedGeneration: 1 }, 2))).toBe(false);
    expect(conditionTrue("Ready")(pod([ready], {}, 2))).toBe(true);
  });

  it.each([undefined, { metadata: {} }, { metadata: {}, status: null }, pod(undefined), pod("x"), pod([null, "x", {}])])(
    "does not hold for %o",
    (object) => {
      expect(conditionTrue("Ready")(object)).toBe(false);
    },
  );
});
