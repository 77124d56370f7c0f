import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import { maxSurge } from "./fenceposts.ts";
import { fraction, isSaturated, isScalingEvent, scalingPlan } from "./scale.ts";

interface Row {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** The new ReplicaSet first, then the others, newest to oldest; undefined for none that is new. */
  readonly before: readonly [number | undefined, ...number[]];
  readonly after: readonly [number | undefined, ...number[]];
  readonly surge?: number;
  readonly surgeBefore?: number;
  /** What the annotations say the Deployment wanted, where that is not `from`. */
  readonly desired?: Readonly<Record<number, number>>;
  readonly available?: number;
}

const rows: readonly Row[] = [
  { id: "D001", from: 10, to: 12, before: [10], after: [12] },
  { id: "D002", from: 10, to: 5, before: [10], after: [5] },
  { id: "D003", from: 5, to: 10, before: [2, 3], after: [4, 6] },
  { id: "D004", from: 5, to: 3, before: [2, 3], after: [1, 2] },
  { id: "D005", from: 9, to: 4, before: [8, 1], after: [4, 0] },
  { id: "D006", from: 7, to: 10, before: [2, 3, 2], after: [3, 4, 3] },
  { id: "D007", from: 13, to: 8, before: [2, 8, 3], after: [1, 5, 2] },
  { id: "D008", from: 3, to: 4, before: [1, 1, 1], after: [2, 1, 1] },
  { id: "D009", from: 3, to: 2, before: [1, 1, 1], after: [1, 1, 0] },
  { id: "D010", from: 4, to: 5, before: [undefined, 2, 2], after: [undefined, 3, 2] },
  { id: "D011", from: 6, to: 0, before: [3, 2, 1], after: [0, 0, 0], surge: 2 },
  { id: "D012", from: 6, to: 6, before: [0, 0, 0], after: [6, 0, 0] },
  { id: "D013", from: 5, to: 5, before: [2, 1, 1], after: [2, 2, 1], desired: { 1: 3 } },
  { id: "D014", from: 10, to: 20, before: [6, 6], after: [11, 11], surge: 2 },
  { id: "D015", from: 10, to: 50, before: [5, 8], after: [22, 34], surge: 6, surgeBefore: 3 },
  { id: "D016", from: 10, to: 14, before: [undefined, 7, 3], after: [undefined, 10, 4] },
  { id: "D017", from: 2, to: 2, before: [2, 1], after: [2, 1], surge: 1, available: 0 },
];

function stage({ from, to, before, surge = 0, surgeBefore = surge, desired = {}, available }: Row): {
  readonly resized: ReturnType<typeof deployment>;
  readonly sets: readonly (ReplicaSetView | undefined)[];
} {
  const sets = before.map((replicas, index) => {
    const wanted = desired[index] ?? from;
    const annotations = {
      "deployment.kubernetes.io/desired-replicas": String(wanted),
      "deployment.kubernetes.io/max-replicas": String(wanted + surgeBefore),
    };
    return replicas === undefined
      ? undefined
      : replicaSet({
          name: `web-${index}`,
          replicas,
          annotations,
          createdAgo: index * 100,
          status: { availableReplicas: available ?? replicas },
        });
  });
  return { resized: deployment({ replicas: to, surge }), sets };
}

describe("scalingPlan", () => {
  it.each(rows)("$id: scales $before from $from to $to as $after", (row) => {
    const {
      resized,
      sets: [newSet, ...oldSets],
    } = stage(row);
    const old = oldSets.flatMap((set) => (set === undefined ? [] : [set]));
    const plan = scalingPlan(resized, { newSet, oldSets: old });
    const sizes = [newSet, ...old].map((set) =>
      set === undefined ? undefined : (plan.find((scaling) => scaling.replicaSet === set)?.replicas ?? replicasOf(set)),
    );
    expect(sizes).toEqual(row.after);
    if (row.id === "D012") expect(plan).toHaveLength(1);
    if (row.id === "D017") expect(plan.every(({ replicaSet: set, replicas }) => replicasOf(set) === replicas)).toBe(true);
  });

  it("names every ReplicaSet with pods, so that annotations are updated too", () => {
    const sets = {
      newSet: replicaSet({ name: "b", replicas: 2 }),
      oldSets: [replicaSet({ name: "a", replicas: 3, createdAgo: 9 }), replicaSet({ name: "0", replicas: 0, createdAgo: 99 })],
    };
    expect(scalingPlan(deployment({ replicas: 5 }), sets)).toMatchObject([
      { replicas: 3, isForced: true },
      { replicas: 2, isForced: true },
    ]);
  });

  it("scales old ReplicaSets to zero when the new one is saturated, and leaves Recreate alone otherwise", () => {
    const desired = { "deployment.kubernetes.io/desired-replicas": "2" };
    const sets = {
      newSet: replicaSet({ name: "b", replicas: 2, annotations: desired, status: { availableReplicas: 2 } }),
      oldSets: [replicaSet({ name: "a", replicas: 1 })],
    };
    expect(scalingPlan(deployment({ replicas: 2 }), sets)).toEqual([{ replicaSet: sets.oldSets[0], replicas: 0 }]);
    expect(scalingPlan(deployment({ replicas: 3, strategy: "Recreate" }), sets)).toEqual([]);
    expect(scalingPlan(deployment({ replicas: 3 }), { newSet: undefined, oldSets: [] })).toEqual([]);
  });

  it("never exceeds the desired number plus surge nor goes below zero, unless it was so before", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 2, maxLength: 5 }), fc.nat(40), fc.nat(5), (sizes, replicas, surge) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const annotations = { "deployment.kubernetes.io/max-replicas": String(total) };
        const [newSet, ...oldSets] = sizes.map((size, index) =>
          replicaSet({ name: `s${index}`, replicas: size, createdAgo: index, annotations }),
        );
        const resized = deployment({ replicas, surge });
        const plan = scalingPlan(resized, { newSet, oldSets });
        if (plan.length < 2) return;
        const after = plan.reduce((sum, scaling) => sum + scaling.replicas, 0);
        expect(after).toBeLessThanOrEqual(Math.max(total, replicas + maxSurge(resized)));
        expect(plan.every((scaling) => scaling.replicas >= 0)).toBe(true);
      }),
    );
  });
});

describe("proportion", () => {
  const of = (
    replicas: number,
    { surge, size, max, total = 0 }: { readonly surge?: number; readonly size: number; readonly max?: string; readonly total?: number },
  ): number =>
    fraction(
      deployment({ replicas, ...definedOnly({ surge }), status: { replicas: total } }),
      replicaSet({ replicas: size, ...(max === undefined ? {} : { annotations: { "deployment.kubernetes.io/max-replicas": max } }) }),
    );
  it("D099: follows the Deployment's earlier maximum, or the pods when that is unknown", () => {
    expect(of(0, { size: 10 })).toBe(-10);
    expect(of(10, { size: 10 })).toBe(0);
    expect(of(10, { size: 10, max: "0" })).toBe(0);
    expect(of(120, { size: 50, total: 100 })).toBe(10);
    expect(of(120, { size: 50, max: "0", total: 100 })).toBe(10);
    expect(of(120, { size: 50, max: "100" })).toBe(10);
    expect(of(120, { size: 50, max: "110", surge: 10 })).toBe(9);
    expect(of(10, { size: 6, max: "12" })).toBe(-1);
    expect(of(100, { size: 50, max: "130", surge: 10 })).toBe(-8);
  });
});

describe("isScalingEvent", () => {
  const desired = (count: string): Readonly<Record<string, string>> => ({ "deployment.kubernetes.io/desired-replicas": count });
  it("compares the annotations of ReplicaSets with pods", () => {
    const sets = (...annotations: (Readonly<Record<string, string>> | undefined)[]): Parameters<typeof isScalingEvent>[1] => ({
      newSet: undefined,
      oldSets: annotations.map((given, index) => replicaSet({ name: `s${index}`, replicas: 1, ...definedOnly({ annotations: given }) })),
    });
    expect(isScalingEvent(deployment({ replicas: 3 }), sets(desired("3"), desired("2")))).toBe(true);
    expect(isScalingEvent(deployment({ replicas: 3 }), sets(desired("3"), undefined, desired("x")))).toBe(false);
    expect(
      isScalingEvent(deployment({ replicas: 3 }), { newSet: replicaSet({ replicas: 0, annotations: desired("2") }), oldSets: [] }),
    ).toBe(false);
  });

  it("D097: ends with a ReplicaSet of that size whose annotation agrees and whose pods are available", () => {
    const wanted = deployment({ replicas: 2 });
    expect(isSaturated(wanted, replicaSet({ replicas: 2, annotations: desired("2"), status: { availableReplicas: 2 } }))).toBe(true);
    for (const parts of [
      { replicas: 1 },
      { annotations: desired("1") },
      { annotations: {} },
      { annotations: desired("x") },
      { status: { availableReplicas: 1 } },
    ]) {
      expect(isSaturated(wanted, replicaSet({ replicas: 2, annotations: desired("2"), status: { availableReplicas: 2 }, ...parts }))).toBe(
        false,
      );
    }
    expect(isSaturated(wanted, undefined)).toBe(false);
  });
});
