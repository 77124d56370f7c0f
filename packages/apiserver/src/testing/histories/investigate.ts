/**
 * Runs one seed and checks its history; shrinks a failing plan to the shortest one that still fails in the same way.
 *
 *     seed → plan → history → violations → story
 */
import { checkHistory } from "./check-history.ts";
import { historyPlan } from "./history-plan.ts";
import type { HistoryPlan, PlanLength } from "./history-plan.ts";
import type { HistoryServer } from "./history-server.ts";
import type { History } from "./history.ts";
import { shrinkPlan } from "./shrink-plan.ts";
import { tellHistory } from "./tell-history.ts";

export interface Verdict {
  readonly history: History;
  /** Undefined if no guarantee was violated. */
  readonly story: string | undefined;
}

export async function investigate(server: Pick<HistoryServer, "run">, seed: number, length: PlanLength = "long"): Promise<Verdict> {
  const plan = historyPlan(seed, length);
  const history = await server.run(plan);
  const [violation] = checkHistory(history);
  if (violation === undefined) return { history, story: undefined };
  const fails = async (shorter: HistoryPlan): Promise<boolean> =>
    checkHistory(await server.run(shorter)).some(({ check }) => check === violation.check);
  const shortest = await shrinkPlan(plan, fails);
  const shown = await server.run(shortest);
  const problems = checkHistory(shown).map(({ check, message }) => `${check}: ${message}`);
  return {
    history,
    story: [`seed ${seed}, ${shortest.steps.length} of ${plan.steps.length} steps:`, ...problems, tellHistory(shown)].join("\n"),
  };
}
