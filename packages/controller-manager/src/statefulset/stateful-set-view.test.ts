import { describe, expect, it } from "vitest";
import { statefulSet } from "../testing/stateful-set-objects.ts";
import { isInRange, isOrdered, isRollingUpdate, minReadySecondsOf, partitionOf, startOrdinal } from "./stateful-set-view.ts";

describe("a StatefulSet's spec", () => {
  it("wants pods from 0 to its size, or from its start ordinal", () => {
    const [plain, shifted] = [statefulSet({ replicas: 3 }), statefulSet({ replicas: 3, ordinals: { start: 5 } })];
    expect([startOrdinal(plain), startOrdinal(shifted)]).toEqual([0, 5]);
    expect([-1, 0, 2, 3].map((ordinal) => isInRange(plain, ordinal))).toEqual([false, true, true, false]);
    expect([4, 5, 7, 8].map((ordinal) => isInRange(shifted, ordinal))).toEqual([false, true, true, false]);
    expect(isInRange(statefulSet({ replicas: 0 }), 0)).toBe(false);
  });

  it("defaults to ordered management and rolling updates", () => {
    const silent = { metadata: { name: "web" } };
    expect([isOrdered(silent), isRollingUpdate(silent), partitionOf(silent), minReadySecondsOf(silent)]).toEqual([true, true, 0, 0]);
    const loud = statefulSet({ podManagementPolicy: "Parallel", updateStrategy: { type: "OnDelete" }, minReadySeconds: 4 });
    expect([isOrdered(loud), isRollingUpdate(loud), minReadySecondsOf(loud)]).toEqual([false, false, 4]);
    expect(partitionOf(statefulSet({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } }))).toBe(2);
  });
});
