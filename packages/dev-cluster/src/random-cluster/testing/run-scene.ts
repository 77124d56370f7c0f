/** Plays a plan from its first step to the end, and returns every violation on the way and at the end. */
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
  /** Wraps the requests of all processes, for tests of the checks themselves. @default none */
  readonly sabotage?: (next: Transport) => Transport;
}

export interface SceneOutcome {
  /** Violations; empty when all is well. */
  readonly problems: readonly string[];
  readonly records: readonly WriteRecord[];
  /** Number of starts of each process. */
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

/** Everything has settled: restarted processes find nothing to write. */
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

/** Problems of the history say when they happened; their clock starts a moment after that of the records. */
function until(records: readonly WriteRecord[], problem = ""): readonly WriteRecord[] {
  const [, seconds] = /^after ([\d.]+) s: /.exec(problem) ?? [];
  return seconds === undefined ? records : records.filter(({ atMs }) => atMs <= Number(seconds) * 1000 + 1000);
}

/** The report of a failed scene. */
export function printOutcome(plan: Plan, { problems, records }: SceneOutcome): string {
  return [
    `${problems.length} problems:`,
    ...problems.map((problem) => `- ${problem}`),
    "",
    "the plan:",
    printPlan(plan),
    "",
    "the last writes before the first problem:",
    printRecords(until(records, problems[0]), 60),
    "",
    `again: DROVER_SEED=${plan.seed} npx vitest run packages/dev-cluster/src/random-cluster`,
  ].join("\n");
}
