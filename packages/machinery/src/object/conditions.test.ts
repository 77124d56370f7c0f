import { describe, expect, it } from "vitest";
import {
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionPresentAndEqual,
  isStatusConditionTrue,
  removeStatusCondition,
  setStatusCondition,
  withoutStatusCondition,
  withStatusCondition,
} from "./conditions.ts";
import type { Condition, ConditionUpdate } from "./conditions.ts";
import { deepFreeze } from "../json/readonly.ts";

const then = "2026-01-01T00:00:00Z";
const now = "2026-11-15T13:35:46Z";
const given = "2026-06-01T12:00:00Z";
const ready: Condition = { type: "Ready", status: "False", lastTransitionTime: then, reason: "Starting", message: "not yet" };
const update: ConditionUpdate = { type: "Ready", status: "True", reason: "Started", message: "" };

describe("setStatusCondition", () => {
  it("adds a missing condition, with the given time or now", () => {
    expect(withStatusCondition(undefined, update, now)).toEqual([{ ...update, lastTransitionTime: now }]);
    expect(withStatusCondition([], { ...update, lastTransitionTime: given }, now)).toEqual([{ ...update, lastTransitionTime: given }]);
    expect(withStatusCondition([ready], { ...update, type: "Synced" }, now)).toEqual([
      ready,
      { ...update, type: "Synced", lastTransitionTime: now },
    ]);
  });

  it("changes the time with the status", () => {
    expect(withStatusCondition([ready], update, now)).toEqual([{ ...update, lastTransitionTime: now }]);
    expect(withStatusCondition([ready], { ...update, lastTransitionTime: given }, now)).toEqual([{ ...update, lastTransitionTime: given }]);
  });

  it("keeps the time when only reason, message or generation change, even if another is given", () => {
    for (const change of [{ reason: "Waiting" }, { message: "soon" }, { observedGeneration: 3 }]) {
      const changed = { ...ready, ...change };
      expect(withStatusCondition([ready], { ...changed, lastTransitionTime: given }, now)).toEqual([changed]);
    }
  });

  it("returns the same list without a change", () => {
    const conditions = deepFreeze([ready, { ...ready, type: "Other" }]);
    expect(withStatusCondition(conditions, { ...ready, lastTransitionTime: given }, now)).toBe(conditions);
    expect(withStatusCondition(conditions, { ...ready, observedGeneration: 0 }, now)).toBe(conditions);
  });

  it("removes a generation that is no longer given", () => {
    expect(withStatusCondition([{ ...ready, observedGeneration: 3 }], ready, now)).toEqual([ready]);
  });

  it("keeps its position and other fields", () => {
    const conditions = deepFreeze([
      { ...ready, type: "A" },
      { ...ready, extra: "kept" },
      { ...ready, type: "B" },
    ]);
    expect(withStatusCondition(conditions, update, now)).toEqual([
      { ...ready, type: "A" },
      { ...update, lastTransitionTime: now, extra: "kept" },
      { ...ready, type: "B" },
    ]);
  });

  it("takes only the fields of a condition from the update", () => {
    const [added] = withStatusCondition(undefined, { ...update, surprise: 1 } as ConditionUpdate, now);
    expect(Object.keys(added ?? {}).toSorted()).toEqual(["lastTransitionTime", "message", "reason", "status", "type"]);
  });

  it("changes a status in place and returns whether it did", () => {
    const status: { conditions?: Condition[] } = {};
    expect(setStatusCondition(status, update, now)).toBe(true);
    expect(setStatusCondition(status, update, "2027-01-01T00:00:00Z")).toBe(false);
    expect(status).toEqual({ conditions: [{ ...update, lastTransitionTime: now }] });
  });
});

describe("removeStatusCondition", () => {
  it("returns whether it existed", () => {
    const status = { conditions: [ready, { ...ready, type: "Other" }] };
    expect(removeStatusCondition(status, "Ready")).toBe(true);
    expect(removeStatusCondition(status, "Ready")).toBe(false);
    expect(status.conditions).toEqual([{ ...ready, type: "Other" }]);
    expect(removeStatusCondition({}, "Ready")).toBe(false);
  });

  it("returns the same list when it did not", () => {
    const conditions = deepFreeze([ready]);
    expect(withoutStatusCondition(conditions, "Other")).toBe(conditions);
    expect(withoutStatusCondition(conditions, "Ready")).toEqual([]);
    expect(withoutStatusCondition(undefined, "Ready")).toBeUndefined();
  });
});

describe("findStatusCondition", () => {
  const conditions = deepFreeze([ready, { ...ready, type: "Synced", status: "True" }, { ...ready, type: "Healthy", status: "Unknown" }]);

  it("finds a condition by type", () => {
    expect(findStatusCondition(conditions, "Ready")).toBe(conditions[0]);
    expect(findStatusCondition(conditions, "ready")).toBeUndefined();
    expect(findStatusCondition(undefined, "Ready")).toBeUndefined();
  });

  it("treats an absent or unknown one as neither true nor false", () => {
    for (const type of ["Healthy", "Absent"]) {
      expect(isStatusConditionTrue(conditions, type)).toBe(false);
      expect(isStatusConditionFalse(conditions, type)).toBe(false);
    }
    expect(isStatusConditionTrue(conditions, "Synced")).toBe(true);
    expect(isStatusConditionFalse(conditions, "Ready")).toBe(true);
    expect(isStatusConditionPresentAndEqual(conditions, "Healthy", "Unknown")).toBe(true);
    expect(isStatusConditionPresentAndEqual(undefined, "Healthy", "Unknown")).toBe(false);
  });
});
