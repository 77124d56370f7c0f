/** Runs a subject without faults, to learn how it ends and what differs by chance. */
import { noFaults } from "../plan/fault.ts";
import type { Profile } from "../plan/fault.ts";
import { ListedDecisions, SeededDecisions } from "../plan/decisions.ts";
import { maskOf } from "../checks/state-difference.ts";
import type { Reference } from "./judge.ts";
import type { SimServer } from "../world/sim-server.ts";
import { runSchedule } from "./run-schedule.ts";
import type { Outcome } from "./run-schedule.ts";
import type { Subject } from "./subject.ts";

export interface Learned {
  readonly reference: Reference;
  /** The first run: its requests and events are the points at which faults can happen. */
  readonly first: Outcome;
}

/** Messages take different times, so that order and times differ; nothing fails. */
const onlyDelays: Profile = { ...noFaults, delayed: 300 };

/** Rejects nothing: findings of runs without faults are in `first`. */
export async function learn(subject: Subject, server: SimServer): Promise<Learned> {
  const first = await runSchedule(subject, { seed: "learn 1", decisions: new ListedDecisions(new Map()), profile: noFaults }, server);
  const others: Outcome[] = [];
  for (const seed of ["learn 2", "learn 3"])
    others.push(await runSchedule(subject, { seed, decisions: new SeededDecisions(seed), profile: onlyDelays }, server));
  const mask = new Set(others.flatMap(({ end }) => [...maskOf(first.end, end)]));
  const looseSystems = new Set(
    [...first.held]
      .filter(([name, held]) => others.some((other) => JSON.stringify(other.held.get(name)) !== JSON.stringify(held)))
      .map(([name]) => name),
  );
  return { first, reference: { end: first.end, held: first.held, writes: first.writes.length, mask, looseSystems } };
}
