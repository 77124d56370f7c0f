/**
 * The smallest plan that still ends badly, as far as a limited number of runs can find it: without faults, then without
 * steps, many at first, single ones at last.
 */
import { noFaults } from "./plan.ts";
import type { Plan } from "./plan.ts";

export interface ShrinkOptions {
  /** Whether a plan still ends badly. */
  readonly fails: (plan: Plan) => Promise<boolean>;
  /** How many plans may be tried. */
  readonly runsMax: number;
}

/** Guarantees: what it gives has failed, or is the plan that was handed in. */
export async function shrinkPlan(plan: Plan, { fails, runsMax }: ShrinkOptions): Promise<Plan> {
  const found = { best: plan, runsLeft: runsMax };
  const tryPlan = async (candidate: Plan): Promise<boolean> => {
    if (found.runsLeft-- <= 0 || !(await fails(candidate))) return false;
    found.best = candidate;
    return true;
  };
  await tryPlan({ ...plan, faults: noFaults });
  for (let size = Math.ceil(plan.steps.length / 2); size >= 1 && found.runsLeft > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < found.best.steps.length && found.runsLeft > 0;) {
      const isGone = await tryPlan({ ...found.best, steps: found.best.steps.toSpliced(start, size) });
      if (!isGone) start += size;
    }
  }
  return found.best;
}
