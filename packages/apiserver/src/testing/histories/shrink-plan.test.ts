import { describe, expect, it } from "vitest";
import { historyPlan } from "./history-plan.ts";
import type { HistoryPlan } from "./history-plan.ts";
import { shrinkPlan } from "./shrink-plan.ts";

const plan = historyPlan(1);
const needs =
  (...indices: readonly number[]) =>
  ({ steps }: HistoryPlan): Promise<boolean> =>
    Promise.resolve(indices.every((index) => steps.includes(plan.steps[index] ?? (plan.steps[0] as never))));

describe("shrinkPlan", () => {
  it("keeps only the necessary steps, in order", async () => {
    expect((await shrinkPlan(plan, needs(3, 17, 18))).steps).toEqual([plan.steps[3], plan.steps[17], plan.steps[18]]);
  });

  it("returns an empty plan if nothing is necessary", async () => {
    expect((await shrinkPlan(plan, needs())).steps).toEqual([]);
  });

  it("retries single steps after others are removed", async () => {
    // The last step is necessary until the first is removed.
    const [first, last] = [plan.steps[0], plan.steps.at(-1)];
    const fails = ({ steps }: HistoryPlan): Promise<boolean> =>
      Promise.resolve(steps.includes(plan.steps[5] as never) && (!steps.includes(first as never) || steps.includes(last as never)));
    expect((await shrinkPlan(plan, fails)).steps).toEqual([plan.steps[5]]);
  });
});
