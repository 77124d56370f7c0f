/** What must hold at every moment, checked at every write in the server's history. */
import type { HistoryContext } from "./history-check.ts";
import { addressCheck } from "./watch-addresses.ts";
import { batchCheck } from "./watch-batch.ts";
import { deploymentCheck } from "./watch-deployments.ts";
import { ownedPodsCheck } from "./watch-owned-pods.ts";
import { disturbances } from "./plan.ts";
import type { Plan } from "./plan.ts";
import type { Stage } from "./stage.ts";

const problemsMax = 10;

/** Starts checking; the returned list grows. */
export function watchHistory({ world, clock, controllers }: Stage, { steps }: Plan): readonly string[] {
  const problems: string[] = [];
  const beganMs = clock.now();
  const context: HistoryContext = {
    world,
    isGentle: steps.every((step) => !disturbances.has(step.do)),
    unsureCreates: () => controllers.unsureCreates,
  };
  const checks = [addressCheck(), ownedPodsCheck(context), deploymentCheck(context), batchCheck(context)];
  world.listen((change) => {
    if (problems.length >= problemsMax) return;
    for (const check of checks) problems.push(...check(change).map((problem) => `after ${(change.atMs - beganMs) / 1000} s: ${problem}`));
  });
  return problems;
}
