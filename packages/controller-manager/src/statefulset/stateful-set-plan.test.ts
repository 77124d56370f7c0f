import { definedOnly } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { member, revisionOf, statefulSet, unready } from "../testing/stateful-set-objects.ts";
import type { StatefulSetParts } from "../testing/stateful-set-objects.ts";
import { pod, start } from "../testing/workload-objects.ts";
import { ordinalOf } from "./pod-identity.ts";
import { planStatefulSet } from "./stateful-set-plan.ts";
import type { StatefulSetPlan } from "./stateful-set-plan.ts";

const revisions = { current: revisionOf("web-old"), update: revisionOf("web-new", { image: "web:2", revision: 2 }) };
const [old, fresh] = [{ revision: "web-old" }, { revision: "web-new" }];
const planOf = (parts: StatefulSetParts, pods: readonly PodView[]): StatefulSetPlan =>
  planStatefulSet(statefulSet(parts), revisions, pods, start);
const ordinals = (pods: readonly PodView[]): readonly (number | undefined)[] => pods.map(ordinalOf);
const doing = ({ steps }: StatefulSetPlan, task: string): readonly (number | undefined)[] =>
  ordinals(steps.filter(({ tasks }) => tasks.some((each) => each === task)).map(({ pod: each }) => each));

describe("planStatefulSet", () => {
  it("fills gaps before anything else", () => {
    const plan = planOf({ replicas: 3 }, [member(0, old), member(2, old), member(4, old)]);
    expect([doing(plan, "create"), plan.surplus, plan.outdated, plan.condemned]).toEqual([[1], [], [], []]);
  });

  it("scales down before it updates, and waits until all surplus pods are gone", () => {
    const plan = planOf({ replicas: 1 }, [member(0, old), member(1, old), member(2, old)]);
    expect([ordinals(plan.surplus), ordinals(plan.condemned), plan.outdated]).toEqual([[2], [2, 1], []]);
    const waiting = planOf({ replicas: 1 }, [member(0, old), member(1, { ...old, isDeleting: true })]);
    expect([waiting.surplus, waiting.outdated]).toEqual([[], []]);
  });

  it("does everything at once in parallel", () => {
    const plan = planOf({ replicas: 2, podManagementPolicy: "Parallel" }, [member(1, old), member(2, old), member(3, old)]);
    expect([doing(plan, "create"), ordinals(plan.surplus), ordinals(plan.outdated)]).toEqual([[0], [3, 2], [1]]);
  });

  it("counts pods below the first ordinal as surplus, and removes them last", () => {
    const plan = planOf({ replicas: 2, ordinals: { start: 1 } }, [member(0, fresh), member(1, fresh), member(2, fresh)]);
    expect([doing(plan, "conform"), ordinals(plan.surplus)]).toEqual([[1, 2], [0]]);
  });

  it("considers an unhealthy surplus pod only when nothing before it is wrong", () => {
    expect(ordinals(planOf({ replicas: 1 }, [member(0), unready(1), unready(2)]).surplus)).toEqual([]);
    expect(ordinals(planOf({ replicas: 1 }, [member(0), member(1), unready(2)]).surplus)).toEqual([2]);
  });

  it("updates nothing with OnDelete", () => {
    expect(planOf({ replicas: 1, updateStrategy: { type: "OnDelete" } }, [member(0, old)]).outdated).toEqual([]);
  });

  it("does nothing for a set that is being deleted", () => {
    const plan = planOf({ replicas: 3, isDeleting: true }, [member(0, { ...old, phase: "Failed" }), member(7, old)]);
    expect([plan.steps, plan.condemned, plan.surplus, plan.outdated, ordinals(plan.pods)]).toEqual([[], [], [], [], [0, 7]]);
  });

  it("takes the exact name of two pods with one ordinal, and ignores pods without an ordinal", () => {
    const odd = pod({ name: "web-00", readyFor: 10 });
    for (const pods of [
      [odd, member(0, fresh)],
      [member(0, fresh), odd],
    ]) {
      expect(planOf({ replicas: 1 }, [...pods, pod({ name: "web-99999999999" })]).pods.map(({ metadata }) => metadata.name)).toEqual([
        "web-0",
      ]);
    }
  });
});

describe("planStatefulSet of a set with two thousand million replicas (SEC3)", () => {
  const replicas = 2_147_483_647;

  it("in order creates the first missing pod", () => {
    expect(doing(planOf({ replicas }, [member(0, fresh), member(2, fresh)]), "create")).toEqual([1]);
  });

  it("in parallel creates the first 500 missing pods and handles all that exist", () => {
    const plan = planOf({ replicas, podManagementPolicy: "Parallel" }, [
      member(3, fresh),
      member(2_000_000, { ...fresh, phase: "Failed" }),
    ]);
    expect([doing(plan, "create").length, doing(plan, "create").at(-1), doing(plan, "conform"), doing(plan, "remove")]).toEqual([
      500,
      500,
      [3],
      [2_000_000],
    ]);
  });

  it("counts missing pods as unavailable, and waits for those behind an outdated one", () => {
    const rollout = (maxUnavailable?: string): StatefulSetParts => ({
      replicas,
      podManagementPolicy: "Parallel",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: definedOnly({ maxUnavailable }) },
    });
    expect(planOf(rollout("50%"), [member(0, old)]).outdated).toEqual([]);
    expect(planOf(rollout(), [member(0, old), member(replicas - 2, old)]).outdated).toEqual([]);
    expect(ordinals(planOf(rollout(), [member(0, old), member(replicas - 1, old)]).outdated)).toEqual([replicas - 1]);
  });
});

/** State of a pod, as the server would show it. */
type PodState = { readonly revision: string; readonly state: "pending" | "unready" | "ready" | "failed"; readonly isGoing: boolean };
type World = ReadonlyMap<number, PodState>;

const podAs = (ordinal: number, { revision, state, isGoing }: PodState): PodView => {
  const parts = { revision, isDeleting: isGoing };
  if (state === "ready") return member(ordinal, parts);
  return state === "unready" ? unready(ordinal, parts) : member(ordinal, { ...parts, phase: state === "failed" ? "Failed" : "Pending" });
};
const podsOf = (world: World): readonly PodView[] => [...world].map(([ordinal, state]) => podAs(ordinal, state));

/** Applies a plan to the world: created pods are pending, and removed ones terminating. */
function after(world: World, plan: StatefulSetPlan): World {
  const next = new Map(world);
  for (const { pod: made, tasks } of plan.steps)
    if (tasks.includes("create"))
      next.set(ordinalOf(made) ?? -1, {
        revision: made.metadata.labels?.["controller-revision-hash"] ?? "",
        state: "pending",
        isGoing: false,
      });
  const removed = [
    ...plan.steps.filter(({ tasks }) => tasks.includes("remove")).map(({ pod: each }) => each),
    ...plan.surplus,
    ...plan.outdated,
  ];
  for (const each of removed) {
    const state = next.get(ordinalOf(each) ?? -1);
    if (state !== undefined) next.set(ordinalOf(each) ?? -1, { ...state, isGoing: true });
  }
  return next;
}

const podState: fc.Arbitrary<PodState> = fc.record({
  revision: fc.constantFrom("web-old", "web-new", "web-other"),
  state: fc.constantFrom("pending", "unready", "ready", "ready", "failed"),
  isGoing: fc.integer({ min: 0, max: 5 }).map((roll) => roll === 0),
});
const world: fc.Arbitrary<World> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 7 }), podState), { maxLength: 8 })
  .map((entries) => new Map(entries));
const wanted = fc.record({
  replicas: fc.integer({ min: 0, max: 6 }),
  start: fc.integer({ min: 0, max: 2 }),
  partition: fc.integer({ min: 0, max: 4 }),
  maxUnavailable: fc.constantFrom(undefined, 1, 2, "50%"),
});
type Wanted = {
  readonly replicas: number;
  readonly start: number;
  readonly partition: number;
  readonly maxUnavailable: number | string | undefined;
};

const partsOf = (
  { replicas, start: first, partition, maxUnavailable }: Wanted,
  podManagementPolicy: "OrderedReady" | "Parallel",
): StatefulSetParts => ({
  replicas,
  podManagementPolicy,
  ordinals: { start: first },
  updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition, ...definedOnly({ maxUnavailable }) } },
});
const allowed = ({ maxUnavailable = 1, replicas }: Wanted): number =>
  typeof maxUnavailable === "number" ? maxUnavailable : Math.max(1, Math.floor(replicas / 2));
/** A case takes a millisecond or two. */
const runs = { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 10) };
const isServing = (state: PodState | undefined): boolean => state?.state === "ready" && !state.isGoing;

describe("planStatefulSet of any set and pods", () => {
  it("in order creates no pod before all earlier ones serve, and deletes none while one of them does not", () => {
    fc.assert(
      fc.property(world, wanted, (now, want) => {
        const plan = planOf(partsOf(want, "OrderedReady"), podsOf(now));
        const last = want.start + want.replicas;
        const serves = (from: number, to: number): boolean =>
          Array.from({ length: to - from }, (_, index) => now.get(from + index)).every(isServing);
        const [created, ended] = [doing(plan, "create"), doing(plan, "remove")];
        const gone = [...created, ...ended, ...plan.surplus, ...plan.outdated].length;
        expect(gone).toBeLessThanOrEqual(Math.max(1, plan.outdated.length));
        for (const ordinal of [...created, ...ended]) expect(serves(want.start, ordinal ?? 0)).toBe(true);
        for (const ordinal of created) expect(now.has(ordinal ?? -1)).toBe(false);
        if (plan.surplus.length + plan.outdated.length > 0) expect(serves(want.start, last)).toBe(true);
        if (plan.surplus.length > 0)
          expect(ordinals(plan.surplus)).toEqual([
            Math.max(...[...now.keys()].filter((ordinal) => ordinal < want.start || ordinal >= last)),
          ]);
        if (plan.outdated.length > 0) expect([...now.keys()].every((ordinal) => ordinal >= want.start && ordinal < last)).toBe(true);
        expect(plan.outdated.length).toBeLessThanOrEqual(allowed(want));
        for (const ordinal of ordinals(plan.outdated)) expect(ordinal).toBeGreaterThanOrEqual(want.start + want.partition);
      }),
      runs,
    );
  });

  it("in parallel deletes no more serving pods for an update than the budget allows", () => {
    fc.assert(
      fc.property(world, wanted, (now, want) => {
        const plan = planOf(partsOf(want, "Parallel"), podsOf(now));
        const range = Array.from({ length: want.replicas }, (_, index) => want.start + index);
        const serving = range.filter((ordinal) => isServing(now.get(ordinal))).length;
        const lost = plan.outdated.filter((each) => isServing(now.get(ordinalOf(each) ?? -1))).length;
        expect(lost).toBeLessThanOrEqual(want.maxUnavailable === undefined ? 1 : Math.max(0, allowed(want) - (want.replicas - serving)));
        expect(doing(plan, "create")).toEqual(range.filter((ordinal) => !now.has(ordinal)));
        for (const ordinal of ordinals(plan.outdated)) expect(now.get(ordinal ?? -1)?.revision).not.toBe("web-new");
      }),
      runs,
    );
  });

  it("with working kubelets ends with exactly the desired pods", () => {
    fc.assert(
      fc.property(world, wanted, fc.constantFrom("OrderedReady", "Parallel"), (before, want, policy) => {
        const serve = (state: PodState): PodState => ({ ...state, state: state.state === "failed" ? "failed" : "ready" });
        const turn = (now: World): World =>
          new Map(
            [...after(now, planOf(partsOf(want, policy), podsOf(now)))]
              .filter(([, { isGoing }]) => !isGoing)
              .map(([ordinal, state]) => [ordinal, serve(state)]),
          );
        let [now, seen] = [before, ""];
        // Each pod finishes, goes and comes back once, and may wait for all others each time.
        for (let turns = 0; turns < 80 && seen !== JSON.stringify([...now]); turns++) {
          seen = JSON.stringify([...now]);
          now = turn(now);
        }
        const range = Array.from({ length: want.replicas }, (_, index) => want.start + index);
        expect([...now.keys()].toSorted((a, b) => a - b)).toEqual(range);
        for (const ordinal of range)
          expect(now.get(ordinal)).toMatchObject({
            state: "ready",
            ...(ordinal >= want.start + want.partition ? { revision: "web-new" } : {}),
          });
      }),
      runs,
    );
  });
});
