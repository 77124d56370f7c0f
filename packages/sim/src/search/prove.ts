/**
 * Searches for a schedule in which controllers break a promise.
 *
 *     Subject → learn → single faults → random seeds → judge → shrink → Verdict
 */
import { judge } from "./judge.ts";
import type { Reference } from "./judge.ts";
import type { Finding } from "../checks/finding.ts";
import { ListedDecisions } from "../plan/decisions.ts";
import type { SimServer } from "../world/sim-server.ts";
import { randomPlan, singleFaults } from "./plans.ts";
import { learn } from "./reference.ts";
import { runSchedule } from "./run-schedule.ts";
import type { Outcome, Plan } from "./run-schedule.ts";
import { shrink } from "./shrink.ts";
import type { Subject } from "./subject.ts";

/** Options of `prove`. */
export interface ProveOptions {
  /** Number of random schedules after those with a single fault. */
  readonly schedules: number;
  /** First seed; the others follow it. @default 1 */
  readonly seed?: number;
  /** Whether to go on; asked before each schedule. @default until all are done */
  readonly goesOn?: () => boolean;
}

/** The schedule that failed, as small as it was found. */
export interface Failure {
  readonly findings: readonly Finding[];
  readonly seed: string;
  /** Decisions that make it fail; all other points take their harmless choice. */
  readonly decisions: ReadonlyMap<string, number>;
  readonly outcome: Outcome;
}

export interface Verdict {
  readonly schedules: number;
  /** Undefined if every schedule kept its promises. */
  readonly failure: Failure | undefined;
}

const shrinkTries = 150;

/** Resolves with the first failure, shrunk. */
export async function prove(
  subject: Subject,
  server: SimServer,
  { schedules, seed = 1, goesOn = () => true }: ProveOptions,
): Promise<Verdict> {
  const { first, reference } = await learn(subject, server);
  if (first.findings.length > 0)
    return { schedules: 1, failure: { findings: first.findings, seed: "learn 1", decisions: new Map(), outcome: first } };
  let count = 3;
  for (const plan of plansOf(first, { schedules, seed })) {
    if (!goesOn()) break;
    count++;
    const outcome = await runSchedule(subject, plan, server);
    const findings = judge(reference, outcome);
    if (findings.length > 0)
      return { schedules: count, failure: await shrunk({ subject, server, reference }, plan, { findings, outcome }) };
  }
  return { schedules: count, failure: undefined };
}

function* plansOf(first: Outcome, { schedules, seed }: Required<Pick<ProveOptions, "schedules" | "seed">>): Generator<Plan> {
  yield* singleFaults(first.trace);
  for (let index = 0; index < schedules; index++) yield randomPlan(`seed ${seed + index}`);
}

interface Court {
  readonly subject: Subject;
  readonly server: SimServer;
  readonly reference: Reference;
}

async function shrunk(
  { subject, server, reference }: Court,
  { seed, decisions, profile }: Plan,
  failed: { readonly findings: readonly Finding[]; readonly outcome: Outcome },
): Promise<Failure> {
  const checks = new Set(failed.findings.map(({ check }) => check));
  let best = failed;
  const fails = async (made: ReadonlyMap<string, number>): Promise<boolean> => {
    const outcome = await runSchedule(subject, { seed, profile, decisions: new ListedDecisions(made) }, server);
    const findings = judge(reference, outcome).filter(({ check }) => checks.has(check));
    if (findings.length === 0) return false;
    best = { findings, outcome };
    return true;
  };
  const fewest = await shrink(decisions.made, { fails, triesMax: shrinkTries });
  return { ...best, seed, decisions: fewest };
}
