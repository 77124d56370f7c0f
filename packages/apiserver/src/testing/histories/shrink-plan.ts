/** Shrinks a plan: removes steps while the failure persists. */
import type { HistoryPlan, Step } from "./history-plan.ts";

/** Returns a failing plan of which no single step can be removed; `fails` must be true for the given plan. */
export async function shrinkPlan(plan: HistoryPlan, fails: (plan: HistoryPlan) => Promise<boolean>): Promise<HistoryPlan> {
  let { steps } = plan;
  const shorter = async (at: number, size: number): Promise<boolean> => {
    for (const left of [without(steps, at, size), waitingInstead(steps, at, size)]) {
      if (!(await fails({ ...plan, steps: left }))) continue;
      steps = left;
      return true;
    }
    return false;
  };
  for (let size = Math.ceil(steps.length / 2); size >= 1;) {
    const { length } = steps;
    for (let at = 0; at < steps.length;) if (!(await shorter(at, size))) at += size;
    // A step that could not be removed alone may be removable after others are gone.
    if (size > 1 || steps.length === length) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { ...plan, steps };
}

const without = (steps: readonly Step[], at: number, size: number): readonly Step[] => [...steps.slice(0, at), ...steps.slice(at + size)];

/** The remaining steps keep their times. */
function waitingInstead(steps: readonly Step[], at: number, size: number): readonly Step[] {
  const turns = steps.slice(at, at + size).reduce((sum, step) => sum + step.turns, 0);
  return without(
    steps.map((step, index) => (index === at - 1 ? { ...step, turns: step.turns + turns } : step)),
    at,
    size,
  );
}
