import { createRandom, delayFunc, delayWithReset } from "@drover/machinery";
import type { Backoff } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Question {
  readonly duration: number;
  readonly factor: number;
  readonly steps: number;
  readonly cap: number;
  readonly resetInterval?: number;
  /** How far the clock moves before each step. */
  readonly advances: readonly number[];
}

const nanosPerMilli = 1e6;
/** Go counts in nanoseconds. */
const asked = ({ duration, cap, resetInterval, advances, ...rest }: Question): unknown => ({
  ...rest,
  duration: duration * nanosPerMilli,
  cap: cap * nanosPerMilli,
  advances: advances.map((ms) => ms * nanosPerMilli),
  ...(resetInterval === undefined ? {} : { resetInterval: resetInterval * nanosPerMilli }),
});

async function ours({ advances, resetInterval, ...backoff }: Question): Promise<number[]> {
  const clock = new ManualClock({ quietTurns: 1 });
  const random = createRandom(1);
  const delay =
    resetInterval === undefined ? delayFunc(backoff satisfies Backoff, random) : delayWithReset(backoff, { clock, random, resetInterval });
  const delays: number[] = [];
  for (const advance of advances) {
    await clock.advance(advance);
    delays.push(delay());
  }
  return delays;
}

/** Go truncates each duration to whole nanoseconds, and the error grows with the factor; ours keeps fractions. */
async function compare(questions: readonly Question[], answers: readonly Answer[]): Promise<void> {
  for (const [index, question] of questions.entries()) {
    const theirs = ((answers[index]?.output ?? []) as number[]).map((nanos) => nanos / nanosPerMilli);
    for (const [step, delay] of (await ours(question)).entries()) {
      const expected = theirs[step] ?? NaN;
      expect(Math.abs(delay - expected) <= 1e-5 * Math.max(1, expected), JSON.stringify({ question, step, delay, expected })).toBe(true);
    }
  }
}

const still = [0, 0, 0, 0, 0, 0];
const table: readonly Question[] = [
  { duration: 10, factor: 2, steps: 3, cap: 0, advances: still },
  { duration: 10, factor: 3, steps: 10, cap: 100, advances: still },
  { duration: 10, factor: 3, steps: 10, cap: 90, advances: still },
  { duration: 10, factor: 0, steps: 3, cap: 5, advances: still },
  { duration: 10, factor: 1, steps: 3, cap: 5, advances: still },
  { duration: 10, factor: 5, steps: 0, cap: 0, advances: still },
  { duration: 10, factor: 0.5, steps: 4, cap: 0, advances: still },
  { duration: 800, factor: 2, steps: 100, cap: 30_000, resetInterval: 120_000, advances: [0, 60_000, 60_000, 1, 119_999, 1] },
  { duration: 800, factor: 2, steps: 100, cap: 30_000, resetInterval: 0, advances: still },
  { duration: 800, factor: 0, steps: 100, cap: 30_000, resetInterval: 10, advances: still },
  { duration: 5, factor: 2, steps: 2, cap: 0, resetInterval: 10, advances: [11, 0, 0, 10, 1, 0] },
];

describe("backoff against apimachinery's wait", () => {
  it("gives the same delays for the table", () => compare(table, recordedAnswers("backoff", table.map(asked))));

  it("gives the same delays for random backoffs", async (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const random = createRandom(process.env["DROVER_SEED"] ?? 20);
    const questions = Array.from({ length: process.env["DROVER_LONG"] === "1" ? 50_000 : 2_000 }, (): Question => ({
      duration: 1 + random.int(1000),
      factor: random.int(40) / 10,
      steps: random.int(12),
      cap: random.int(3) === 0 ? 0 : random.int(5000),
      ...(random.int(2) === 0 ? {} : { resetInterval: random.int(300) }),
      advances: Array.from({ length: 8 }, () => random.int(200)),
    }));
    await compare(questions, askOracle("backoff", questions.map(asked)));
  });
});
