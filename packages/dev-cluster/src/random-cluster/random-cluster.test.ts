/**
 * Whole clusters with random actions and faults, by seed; each must converge and keep its invariants on the way.
 *
 *     DROVER_SEED=7 npx vitest run packages/dev-cluster/src/random-cluster        repeats one of them
 */
import { describe, expect, it } from "vitest";
import { disturbances, makePlan, noFaults, printPlan } from "./testing/plan.ts";
import type { Act, Plan, Step, Target } from "./testing/plan.ts";
import { printRecords } from "./testing/request-log.ts";
import { printOutcome, runScene } from "./testing/run-scene.ts";
import { pretending, requestsOf, stuttering } from "./testing/sabotage.ts";
import { shrinkPlan } from "./testing/shrink-plan.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const chosen = process.env["DROVER_SEED"];
/** CI sets a number of cases, and plays a tenth as many scenes. */
const scenes = isLong ? Math.min(200, Number(process.env["DROVER_CASES"] ?? 4000) / 20) : 1;
const seeds = chosen === undefined ? Array.from({ length: scenes }, (_, index) => index + 1) : [Number(chosen)];
/** Number of plans to try when shrinking a failing one. */
const shrinkRunsMax = 40;

describe("a random scene of a cluster", () => {
  it.each(seeds)("converges: seed %i", { timeout: 300_000 }, async (seed) => {
    const plan = makePlan(seed);
    const outcome = await runScene(plan);
    if (outcome.problems.length === 0) return;
    const smallest = await shrinkPlan(plan, {
      runsMax: shrinkRunsMax,
      fails: async (candidate) => (await runScene(candidate)).problems.length > 0,
    });
    expect.fail(`${printOutcome(plan, outcome)}\n\nand shorter:\n${printOutcome(smallest, await runScene(smallest))}`);
  });

  it("is deterministic", { timeout: 60_000 }, async (ctx) => {
    if (!isLong) ctx.skip("plays two scenes: DROVER_LONG=1 npx vitest run packages/dev-cluster/src/random-cluster");
    const [one, other] = [await runScene(makePlan(6)), await runScene(makePlan(6))];
    expect(printRecords(other.records, Infinity)).toBe(printRecords(one.records, Infinity));
    expect(one.records.length).toBeGreaterThan(50);
  });
});

const plans = Array.from({ length: 200 }, (_, index) => makePlan(index + 1));

describe("plans of random scenes", () => {
  it("have twenty to sixty steps, and use every kind of step", () => {
    for (const { steps } of plans) {
      expect(steps.length).toBeGreaterThanOrEqual(20);
      expect(steps.length).toBeLessThanOrEqual(60);
    }
    const kinds = new Set(plans.flatMap(({ steps }) => steps.map((step) => step.do)));
    expect(kinds).toEqual(
      new Set<Act["do"]>([
        ...disturbances,
        "create",
        "scale",
        "roll",
        "hold",
        "rollback",
        "delete",
        "expose",
        "unexpose",
        "create namespace",
        "delete namespace",
        "uncordon",
        "untaint",
        "start node",
        "kill",
        "cut watches",
        "stall watches",
        "compact",
        "wait",
      ]),
    );
  });

  it("follow from the seed alone, and are printed line by line", () => {
    expect(makePlan(5)).toEqual(makePlan(5));
    expect(makePlan(5)).not.toEqual({ ...makePlan(6), seed: 5 });
    expect(printPlan(makePlan(5)).split("\n")).toHaveLength(makePlan(5).steps.length + 1);
  });

  it("are shrunk to the failing steps", async () => {
    const plan = makePlan(5);
    const wanted = plan.steps[9];
    const shortest = await shrinkPlan(plan, {
      runsMax: 200,
      fails: ({ steps }) => Promise.resolve(wanted !== undefined && steps.includes(wanted)),
    });
    expect(shortest).toEqual({ ...plan, faults: noFaults, steps: [wanted] });
    expect(await shrinkPlan(plan, { runsMax: 200, fails: () => Promise.resolve(false) })).toBe(plan);
  });
});

/** One of each kind, without faults. */
const web: Target = { kind: "Deployment", namespace: "default", name: "web-a" };
const task: Target = { kind: "Job", namespace: "default", name: "task-a" };
const steps: readonly Step[] = [
  { do: "create", target: web, replicas: 3, conduct: "well", variant: 1, pauseMs: 1000 },
  { do: "expose", target: web, variant: 0, pauseMs: 1000 },
  {
    do: "create",
    target: { kind: "StatefulSet", namespace: "default", name: "db-a" },
    replicas: 2,
    conduct: "slow to be ready",
    variant: 0,
    pauseMs: 1000,
  },
  { do: "create", target: task, replicas: 1, conduct: "well", variant: 0, pauseMs: 1000 },
  { do: "roll", target: web, version: 2, conduct: "slow to be ready", pauseMs: 60_000 },
  { do: "delete", target: { kind: "Deployment", namespace: "default", name: "web-b" }, propagation: "Foreground", pauseMs: 0 },
];
const calm: Plan = { seed: 0, nodes: 2, faults: noFaults, steps };

describe("the checks of random scenes", () => {
  it("find nothing in a scene without faults", { timeout: 60_000 }, async () => {
    expect((await runScene(calm)).problems).toEqual([]);
  });

  it.each([
    [
      "pods that never go",
      pretending(requestsOf("DELETE", /\/pods\/web-/, "node-side")),
      /pods\/default\/web-a-.* is still on its way out/,
    ],
    [
      "a status that is never written",
      pretending(requestsOf("PUT", /\/replicasets\/[^/]+\/status/)),
      /replicasets\/default\/web-a-.* says 0\/0\/0\/0\/0/,
    ],
    ["slices that are never made", pretending(requestsOf("POST", /\/endpointslices/)), /services\/default\/web-a: slices lead to nowhere/],
    [
      "pods that are made twice",
      stuttering(requestsOf("POST", /\/pods(?:\?|$)/, "replicaset-controller")),
      /replicasets\/default\/web-a-.* has 4 pods now, and 3 are allowed/,
    ],
    [
      "finalizers that stay",
      pretending(requestsOf("PATCH", /\/pods\/task-/, "job-controller")),
      /pods\/default\/task-a-.* is still tracked by a Job/,
    ],
    [
      "a StatefulSet that says nothing",
      pretending(requestsOf("PUT", /\/statefulsets\/db-a\/status/)),
      /statefulsets\/default\/db-a says 0\/0\/0\/0\/0/,
    ],
  ])("find %s", { timeout: 60_000 }, async (_what, sabotage, problem) => {
    expect((await runScene(calm, { sabotage })).problems).toContainEqual(expect.stringMatching(problem));
  });
});
