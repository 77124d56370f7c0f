/** A plan from its first step to the end of everything, and whatever was wrong on the way and at the end. */
import type { Transport } from "@drover/machinery";
import { endProblems } from "./end-checks.ts";
import { watchHistory } from "./history-checks.ts";
import { printPlan } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { playStep } from "./play-step.ts";
import type { Intentions } from "./play-step.ts";
import { comeToRest, isHeartbeat, repair } from "./repair.ts";
import { printRecords } from "./request-log.ts";
import type { WriteRecord } from "./request-log.ts";
import { openStage } from "./stage.ts";
import type { Stage } from "./stage.ts";

export interface SceneOptions {
  /** Stands between all processes and the server, for tests of the checks themselves. @default nothing does */
  readonly sabotage?: (next: Transport) => Transport;
}

export interface SceneOutcome {
  /** What is wrong; empty when all is as it should be. */
  readonly problems: readonly string[];
  readonly records: readonly WriteRecord[];
  /** How often each process was started. */
  readonly lives: number;
}

export async function runScene(plan: Plan, { sabotage }: SceneOptions = {}): Promise<SceneOutcome> {
  const stage = await openStage(plan, sabotage);
  const intentions: Intentions = { orphanedOwners: new Set(), releasedPods: new Set() };
  const history = watchHistory(stage, plan);
  const problems: string[] = [];
  try {
    for (const step of plan.steps) await playStep(stage, step, intentions);
    await repair(stage, plan.nodes);
    problems.push(...(await comeToRest(stage)));
    problems.push(...endProblems(stage.world, intentions));
    if (problems.length === 0) problems.push(...(await coldStart(stage)));
    problems.push(...history);
  } catch (error) {
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  await stage.close();
  problems.push(...stage.mistakes);
  if (stage.clock.pending.length > 0)
    problems.push(`${stage.clock.pending.length} timers are left, due in ${stage.clock.pending.slice(0, 5).join()} ms`);
  return { problems, records: stage.log.records, lives: stage.controllers.lives + stage.nodes.lives };
}

/** Everything is as it should be: processes that begin anew find nothing to write. */
async function coldStart(stage: Stage): Promise<readonly string[]> {
  const written: string[] = [];
  stage.world.listen(
    ({ resource, key, before, after }) => void (isHeartbeat(resource, before, after) || written.push(`${resource}/${key}`)),
  );
  stage.log.tell("everything is started anew");
  await stage.restart("both");
  await stage.pass(30_000);
  return written.length === 0 ? [] : [`after a cold start of a cluster at rest something was written: ${[...new Set(written)].join(", ")}`];
}

/** What to tell of a scene that ended badly. */
export function printOutcome(plan: Plan, { problems, records }: SceneOutcome): string {
  return [
    `${problems.length} problems:`,
    ...problems.map((problem) => `- ${problem}`),
    "",
    "the plan:",
    printPlan(plan),
    "",
    "the last writes:",
    printRecords(records, 60),
    "",
    `again: DROVER_SEED=${plan.seed} npx vitest run packages/dev-cluster/src/random-cluster`,
  ].join("\n");
}
