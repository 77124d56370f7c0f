/**
 * Runs one schedule: the scene with its faults, then calm, then the checks.
 *
 *     Subject, Plan → runSchedule → Outcome
 */
import { errorText } from "@drover/machinery";
import type { Commit } from "../world/commits.ts";
import type { Decisions } from "../plan/decisions.ts";
import type { Profile } from "../plan/fault.ts";
import { canonicalState } from "../checks/canonical-state.ts";
import type { CanonicalState } from "../checks/canonical-state.ts";
import type { Finding } from "../checks/finding.ts";
import { createExternal, externalFaults } from "../scene/external.ts";
import { runScene } from "../scene/scene-run.ts";
import type { SimServer } from "../world/sim-server.ts";
import type { Trace } from "../world/trace.ts";
import { drained } from "../world/event-loop.ts";
import { World } from "../world/world.ts";
import type { Subject } from "./subject.ts";

/** Decisions of a schedule. */
export interface Plan {
  readonly seed: string;
  readonly decisions: Decisions;
  readonly profile: Profile;
}

/** Result of a schedule. */
export interface Outcome {
  /** What the schedule itself shows; what it shows beside others is found by `judge`. */
  readonly findings: readonly Finding[];
  readonly end: CanonicalState;
  /** What the systems outside hold at the end, by name. */
  readonly held: ReadonlyMap<string, readonly string[]>;
  /** Writes of the programs. */
  readonly writes: readonly Commit[];
  readonly trace: Trace;
  readonly virtualMs: number;
  readonly steps: number;
}

/** Virtual time in which everything must be at rest after the last fault. */
const calmMs = 1_800_000;
const startMs = 600_000;

export async function runSchedule(subject: Subject, { seed, decisions, profile }: Plan, server: SimServer): Promise<Outcome> {
  const world = await World.create({ server, seed, decisions, profile, namespace: subject.namespace, drained });
  const held = new Map<string, () => readonly string[]>();
  try {
    const counts = new Map<string, number>();
    const programs = subject.programs({
      external: (name, options) => {
        const system = createExternal(name, options, {
          caller: () => world.timeline.current,
          after: (ms, life, run) => void world.timeline.after(ms, life, run),
          crash: (life) => world.processes.find(({ name: process }) => process === life.process)?.crash("dies"),
          note: (life, text) => world.trace.note(life, text),
          fault: (call) => {
            const { failing, lost, crashing, pausing } = world.profile;
            const attempt = `${world.timeline.current?.name ?? "user"} calls ${call}`;
            const count = (counts.get(attempt) ?? 0) + 1;
            counts.set(attempt, count);
            const choice = world.decide(`${attempt} #${count}`, [failing, lost, pausing, crashing * 0.4, crashing * 0.6]);
            return externalFaults[choice - 1] ?? "none";
          },
        });
        held.set(name, () => (options.held ?? wholeState)(system.state));
        return system;
      },
    });
    for (const [name, app] of Object.entries(programs)) world.add(name, app);
    for (const process of world.processes) await process.start();
    await world.settle(startMs);
    const failure = await runScene(subject.scene, world, subject.namespace);
    world.calm();
    const calmedMs = world.timeline.elapsedMs;
    const findings: Finding[] = [...(await rested(world, "stable"))];
    if (failure !== undefined)
      findings.push({
        check: "scene",
        text: `the scene failed: ${errorText(failure.error)}`,
      });
    const end = await stateOf(world);
    if (findings.length === 0) findings.push(...(await again(world)));
    // Before, a fault may have ended it, and it starts again.
    for (const { life, error, atMs } of world.processes.flatMap((process) => process.failures))
      if (atMs >= calmedMs) findings.push({ check: "alive", text: `${life.name} ended by itself: ${errorText(error)}` });
    for (const stray of world.strays.slice(0, 1))
      findings.push({
        check: "deterministic",
        text: `${stray} was sent when nothing in the simulation ran: the code waits for a real timer, file or socket`,
      });
    return {
      findings,
      end,
      held: new Map([...held].map(([name, read]) => [name, read()])),
      writes: world.commits.all.filter(({ by }) => by !== undefined),
      trace: world.trace,
      virtualMs: world.timeline.elapsedMs,
      steps: world.timeline.steps,
    };
  } finally {
    world.close();
  }
}

async function rested(world: World, check: "stable" | "idempotent" | "cold-start"): Promise<readonly Finding[]> {
  const active = await world.settle(calmMs);
  const [first] = active;
  if (first === undefined) return [];
  const more = active.length === 1 ? "" : `, and ${active.length - 1} more`;
  return [{ check, text: `half an hour after the last fault, ${first}${more}` }];
}

/** Every key runs once more, then the programs start anew: neither may write. */
async function again(world: World): Promise<readonly Finding[]> {
  const before = world.commits.all.length;
  await world.runAllAgain();
  const unrest = await rested(world, "idempotent");
  const changed = writesSince(world, before);
  if (unrest.length > 0 || changed.length > 0)
    return [
      ...unrest,
      ...changed.map((key) => ({
        check: "idempotent" as const,
        object: key,
        text: `a second run with the same state writes ${key} again`,
      })),
    ];
  for (const process of world.processes) process.crash("is restarted to see whether it writes");
  const unrestCold = await rested(world, "cold-start");
  return [
    ...unrestCold,
    ...writesSince(world, before).map((key) => ({
      check: "cold-start" as const,
      object: key,
      text: `after a restart, with nothing to do, it writes ${key}`,
    })),
  ];
}

const ignored = /^\/registry\/(events|leases)\//;
const writesSince = (world: World, count: number): readonly string[] => [
  ...new Set(
    world.commits.all
      .slice(count)
      .filter(({ by, key }) => by !== undefined && !ignored.test(key))
      .map(({ key }) => key),
  ),
];

async function stateOf({ server, commits }: World): Promise<CanonicalState> {
  const { items } = await server.store.list("");
  return canonicalState(items.filter(({ modRevision }) => modRevision > commits.baseRevision));
}

/** Entries of Maps and Sets as texts; anything else as one text. */
const wholeState = (state: unknown): readonly string[] =>
  state instanceof Map || state instanceof Set
    ? Array.from(state as Iterable<unknown>, (entry) => JSON.stringify(entry)).toSorted()
    : [JSON.stringify(state)];
