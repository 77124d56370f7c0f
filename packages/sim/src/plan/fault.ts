/**
 * What can happen to one request, and how often.
 *
 *     verb, Profile → faultsOf → names with weights → Decisions.choose → Fault
 */
import type { Random } from "@drover/machinery";

/**
 * - `error`, `busy`, `unavailable`, `timed-out`: the server answers 500, 429, 503 or 504 and does nothing
 * - `conflict`: it answers 409 to an update, as if somebody had written in between
 * - `refused`: no connection
 * - `lost`: the server does it, and the answer is lost; `lost-late`: the same, as a 504
 * - `crash-before`, `crash-after`: the process dies before the request is sent, or after the server did it
 * - `slow`: the answer takes half a minute
 * - `pause`: the process stands still for 40 s while the request is on its way
 */
export type Fault =
  | "none"
  | "error"
  | "busy"
  | "unavailable"
  | "timed-out"
  | "conflict"
  | "refused"
  | "lost"
  | "lost-late"
  | "crash-before"
  | "crash-after"
  | "slow"
  | "pause";

/** Rates per thousand. A seed draws its own, so that some schedules have many faults of one kind and none of another. */
export interface Profile {
  /** Requests that fail without an effect. */
  readonly failing: number;
  /** Writes whose outcome the process does not learn. */
  readonly lost: number;
  /** Requests at which the process dies. */
  readonly crashing: number;
  /** Requests at which the process pauses or waits. */
  readonly pausing: number;
  /** Messages that take longer than a millisecond. */
  readonly delayed: number;
  /** Events of watches that arrive seconds late, and streams that break. */
  readonly stale: number;
  /** Things that happen between steps of the scene: restarts, compaction, cut watches. */
  readonly unrest: number;
}

export const noFaults: Profile = { failing: 0, lost: 0, crashing: 0, pausing: 0, delayed: 0, stale: 0, unrest: 0 };

/** Draws the profile of a schedule. */
export function drawProfile(random: Random): Profile {
  const rate = (likely: number, high: number): number => {
    const draw = random.int(100);
    if (draw >= likely) return 0;
    return draw < likely / 3 ? high : Math.max(1, Math.round(high / 5));
  };
  return {
    failing: rate(50, 150),
    lost: rate(50, 120),
    crashing: rate(50, 60),
    pausing: rate(30, 40),
    delayed: rate(75, 300),
    stale: rate(60, 120),
    unrest: rate(50, 300),
  };
}

type Chance = readonly [fault: Fault, rate: keyof Profile, share: number];

const readChances: readonly Chance[] = [
  ["error", "failing", 0.25],
  ["busy", "failing", 0.15],
  ["unavailable", "failing", 0.15],
  ["refused", "failing", 0.25],
  ["lost", "failing", 0.2],
  ["crash-before", "crashing", 0.3],
  ["slow", "pausing", 0.5],
  ["pause", "pausing", 0.5],
];
const writeChances: readonly Chance[] = [
  ["error", "failing", 0.25],
  ["busy", "failing", 0.15],
  ["unavailable", "failing", 0.15],
  ["timed-out", "failing", 0.15],
  ["refused", "failing", 0.3],
  ["lost", "lost", 0.7],
  ["lost-late", "lost", 0.3],
  ["crash-before", "crashing", 0.4],
  ["crash-after", "crashing", 0.6],
  ["slow", "pausing", 0.5],
  ["pause", "pausing", 0.5],
];
const updateChances: readonly Chance[] = [...writeChances, ["conflict", "failing", 0.3]];

/** Kinds of requests whose faults differ. */
export type RequestClass = "read" | "write" | "update";

/** Faults of a class of requests; choice n is the n-th of them. */
export const faultsOf: Readonly<Record<RequestClass, readonly Fault[]>> = {
  read: readChances.map(([fault]) => fault),
  write: writeChances.map(([fault]) => fault),
  update: updateChances.map(([fault]) => fault),
};

const chancesOf: Readonly<Record<RequestClass, readonly Chance[]>> = { read: readChances, write: writeChances, update: updateChances };

/** Returns the weights of the choices of a class. */
export const faultWeights = (profile: Profile, kind: RequestClass): readonly number[] =>
  chancesOf[kind].map(([, rate, share]) => profile[rate] * share);
