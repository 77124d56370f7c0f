/**
 * Finds the smallest plan that still fails, within a limited number of runs: first without faults, then without steps,
 * many at first, single ones at last.
 */
import { noFaults } from "./plan.ts";
import type { Plan } from "./plan.ts";

export interface ShrinkOptions {
  /** Whether a plan still fails. */
  readonly fails: (plan: Plan) => Promise<boolean>;
  /** Maximum number of plans to try. */
  readonly runsMax: number;
}

/** Guarantees: the result has failed, or is the given plan. */
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
