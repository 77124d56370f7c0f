/**
 * Runs random sequences on two servers and returns the differences, each with the shortest sequence that shows it.
 *
 *     seeds → step-grammar.ts → run-sequence.ts on both → compare → shrink-sequence.ts → Finding → story.ts
 */
import type { JsonValue } from "@drover/machinery";
import { compare } from "../differential/compare.ts";
import type { Difference } from "../differential/compare.ts";
import type { ProbeTarget } from "../differential/session.ts";
import { stepOf, unexplained } from "./known-differences.ts";
import { inOneOrder } from "./one-order.ts";
import { runSequence } from "./run-sequence.ts";
import { shrinkSequence } from "./shrink-sequence.ts";
import { randomSequence } from "./step-grammar.ts";
import type { Step } from "./step.ts";

export interface FuzzServers {
  /** The reference server. */
  readonly real: ProbeTarget;
  readonly ours: ProbeTarget;
}

export interface FuzzOptions {
  /** Number of concurrent sequences. @default 6 */
  readonly parallel?: number;
}

const confirmations = 2;

/** The difference that one seed found. */
export interface Finding {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly differences: readonly Difference[];
}

/** One finding per seed whose sequence is answered differently; the world must be defined on both servers. */
export async function fuzzSequences(
  seeds: readonly number[],
  servers: FuzzServers,
  { parallel = 6 }: FuzzOptions = {},
): Promise<Finding[]> {
  const waiting = [...seeds];
  const findings: Finding[] = [];
  const worker = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const finding = await fuzzSeed(seed, servers);
      if (finding !== undefined) findings.push(finding);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return findings.toSorted((a, b) => a.seed - b.seed);
}

async function fuzzSeed(seed: number, servers: FuzzServers): Promise<Finding | undefined> {
  let tries = 0;
  const differencesOf = async (steps: readonly Step[]): Promise<Difference[]> => {
    const namespace = `fuzz-${seed}-${++tries}`;
    const [expected, actual] = await Promise.all([
      runSequence(steps, servers.real, namespace),
      runSequence(steps, servers.ours, namespace),
    ]);
    return unexplained(compare(inOneOrder(expected), inOneOrder(actual.slice(0, expected.length))));
  };
  const steps = randomSequence(seed);
  const differences = await differencesOf(steps);
  const [first] = differences;
  if (first === undefined) return undefined;
  const mark = markOf(first);
  let shown: readonly Difference[] = [];
  const shows = async (shorter: readonly Step[]): Promise<boolean> => {
    const found = await differencesOf(shorter);
    const same = found.some((difference) => markOf(difference) === mark);
    if (same) shown = found;
    return same;
  };
  const start = steps.slice(0, stepOf(first));
  // A difference that does not appear again was random: the real server iterates Go maps in another order every time.
  for (let again = 0; again < confirmations; again++) if (!(await shows(start))) return undefined;
  return { seed, steps: await shrinkSequence(start, shows), differences: shown };
}

/** What a difference is about, without its position, so that shrinking does not end at another difference. */
function markOf({ at, expected, actual }: Difference): string {
  const form = (value: JsonValue | undefined): string =>
    typeof value === "string" ? value.replaceAll(/#\d+|>=\d+|fuzz-[\d-]+/g, "#") : typeof value;
  return `${at.replace(/^.*?: /, "")} ${form(expected)} ${form(actual)}`;
}
