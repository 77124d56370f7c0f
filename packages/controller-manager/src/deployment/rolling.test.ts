import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { replicasOf } from "../shared/replica-set-order.ts";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import { maxUnavailable } from "./fenceposts.ts";
import { growNew, shrinkHealthy, shrinkOld } from "./rolling.ts";

const set = (name: string, replicas: number, availableReplicas: number, createdAgo = 0): ReturnType<typeof replicaSet> =>
  replicaSet({ name, replicas, createdAgo, status: { availableReplicas } });

describe("growNew", () => {
  const grown = (surge: number, old: number, current: number): number | undefined =>
    growNew(deployment({ replicas: 10, surge }), set("new", current, 0), [set("old", old, old)])?.replicas;
  it("D041, D042: grows the new ReplicaSet as far as surge allows", () => {
    expect(grown(2, 10, 0)).toBe(2);
    expect(grown(2, 5, 0)).toBe(7);
  });

  it("D043: keeps it when there is no room", () => {
    expect(grown(2, 10, 2)).toBeUndefined();
    expect(grown(0, 0, 10)).toBeUndefined();
  });

  it("D044: shrinks it when it is too large", () => {
    expect(grown(2, 2, 11)).toBe(10);
  });
});

describe("shrinkOld", () => {
  const shrunk = (unavailable: number, old: readonly [number, number], current: readonly [number, number] = [0, 0]): readonly number[] =>
    shrinkOld(deployment({ replicas: 10, unavailable, surge: 1 }), set("new", ...current), [set("old", ...old)]).map(
      ({ replicas }) => replicas,
    );

  it("D046: shrinks old ReplicaSets while enough pods stay available", () => {
    expect(shrunk(2, [10, 10])).toEqual([8]);
  });

  it("D047, D048: removes unavailable pods first", () => {
    expect(shrunk(2, [10, 8])).toEqual([8]);
    expect(shrunk(2, [10, 9])).toEqual([9, 8]);
  });

  it("D049: shrinks none while new pods are missing", () => {
    expect(shrunk(2, [8, 8], [2, 0])).toEqual([]);
    expect(shrunk(2, [10, 5], [2, 0])).toEqual([8]);
  });

  it("D051: removes only as many pods as are available beyond the minimum", () => {
    const healthy = (unavailable: number, size: number, available: number): readonly number[] => {
      const old = [set("old", size, available)];
      return shrinkHealthy(old, replicasOf, available - (10 - unavailable)).map(({ replicas }) => replicas);
    };
    expect(healthy(1, 10, 10)).toEqual([9]);
    expect(healthy(2, 10, 10)).toEqual([8]);
    expect(healthy(2, 10, 8)).toEqual([]);
    expect(healthy(2, 0, 10)).toEqual([]);
    expect(healthy(2, 10, 1)).toEqual([]);
  });

  it("goes by age and skips empty ReplicaSets", () => {
    const old = [set("c", 3, 0, 1), set("a", 2, 0, 100), set("b", 0, 0, 50)];
    expect(
      shrinkOld(deployment({ replicas: 4, unavailable: 1 }), set("new", 4, 4), old).map(({ replicaSet: { metadata }, replicas }) => [
        metadata.name,
        replicas,
      ]),
    ).toEqual([
      ["a", 0],
      ["c", 0],
    ]);
  });

  it("waits for a ReplicaSet whose status lags", () => {
    const old = [set("behind", 8, 10, 9), set("other", 5, 2, 1)];
    expect(shrinkOld(deployment({ replicas: 10, unavailable: 5 }), set("new", 4, 4), old)).toEqual([]);
  });

  it("never goes below the minimum available in a step, and ends at zero", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.nat(4),
        fc.nat(4),
        fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 3 }),
        fc.tuple(fc.nat(12), fc.nat(12)),
        (replicas, surge, unavailable, olds, [size, up]) => {
          const wanted = deployment({ replicas, surge, unavailable });
          const old = olds.map(([count, available], index) => set(`o${index}`, count, Math.min(count, available), index));
          const newSet = set("new", size, Math.min(size, up));
          const available = [...old, newSet].reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0);
          const after = new Map(shrinkOld(wanted, newSet, old).map(({ replicaSet: { metadata }, replicas: to }) => [metadata.name, to]));
          const lost = old.reduce(
            (sum, set_) => sum + Math.max(0, (set_.status?.availableReplicas ?? 0) - (after.get(set_.metadata.name) ?? replicasOf(set_))),
            0,
          );
          const needed = replicas - maxUnavailable(wanted);
          expect(lost).toBeLessThanOrEqual(Math.max(0, available - needed));
        },
      ),
    );
  });
});
