import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatDurationNanos, humanDuration, parseDurationNanos, shortHumanDuration } from "@drover/machinery";

import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

type Question = string | { readonly nanos: string };

const texts = [
  "",
  "0",
  "+0",
  "-0",
  "00",
  "1",
  "1s",
  "-1.5h",
  "+5m",
  "1h2m3.5s",
  "1m1h",
  "300ms",
  "1us",
  "1µs",
  "1μs",
  "1ns",
  ".5s",
  "5.s",
  ".s",
  "1.s",
  "-",
  "+",
  "-.",
  ".",
  "1x",
  "1 s",
  "s",
  "1S",
  "1d",
  "1w",
  "1sm",
  "1h 2m",
  "0.3333333333333333333h",
  "0.830103483285477580700h",
  "9223372036854775807ns",
  "9223372036854775808ns",
  "-9223372036854775808ns",
  "-9223372036854775809ns",
  "2562047h47m16.854775807s",
  "2562047h47m16.854775808s",
  "9223372036854775808ns9223372036854775808ns",
  "2562048h",
  "1e3s",
  "0.9223372036854775807s",
  "0.9223372036854775808s",
  "0.99999999999999999999999999999h",
  "00000000000000000000000000001s",
  "99999999999999999999s",
  "1é",
  "日",
  "1\u0007",
  '1"',
  "1\\",
  "1h😀",
  "39h9m14.425s",
  "0.000000001s",
  "0.0000000001s",
  "1.0000000019s",
  "3000000h",
  "1h1h1h",
  "0.100000000000000000000h",
  "\ud800",
];
const nanos = [
  0n,
  1n,
  999n,
  1000n,
  1100n,
  999_999n,
  1_000_000n,
  2_200_000n,
  999_999_999n,
  1_000_000_000n,
  3_300_000_000n,
  59_999_999_999n,
  60_000_000_000n,
  245_000_000_000n,
  3_600_000_000_000n,
  18_367_001_000_000n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -1n,
  -1500n,
  -999_999_999n,
  -1_000_000_000n,
  -1_999_999_999n,
  -2_000_000_000n,
  ...[
    59, 60, 119, 120, 121, 599, 600, 601, 3599, 3600, 10_799, 10_800, 10_860, 28_799, 28_800, 86_399, 86_400, 172_799, 172_800, 176_400,
    691_199, 691_200, 31_535_999, 31_536_000, 63_071_999, 63_072_000, 63_158_400, 94_608_000, 252_287_999, 252_288_000, 283_824_000,
  ].map((n) => BigInt(n) * 1_000_000_000n),
];
const table: readonly Question[] = [...texts, ...nanos.map((n) => ({ nanos: n.toString() }))];

const ours = (question: Question): Answer => {
  if (typeof question === "object") {
    const value = BigInt(question.nanos);
    const ms = Number(value / 1_000_000n); // no whole second is lost
    return { output: { human: humanDuration(ms), short: shortHumanDuration(ms), text: formatDurationNanos(value) } };
  }
  try {
    const parsed = parseDurationNanos(question);
    return { output: { nanos: parsed.toString(), text: formatDurationNanos(parsed) } };
  } catch (error) {
    return { error: (error as Error).message };
  }
};

const piece = fc.tuple(
  fc.stringMatching(/^[0-9]{0,4}$/),
  fc.constantFrom("", ".", "."),
  fc.oneof(fc.stringMatching(/^[0-9]{0,4}$/), fc.stringMatching(/^[0-9]{0,22}$/)),
  fc.constantFrom("h", "m", "s", "ms", "us", "µs", "ns", "d", ""),
);
const text = fc
  .tuple(
    fc.constantFrom("", "", "-", "+"),
    fc.array(
      piece.map((parts) => parts.join("")),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([sign, pieces]) => sign + pieces.join(""));
const question: fc.Arbitrary<Question> = fc.oneof(
  text,
  fc.stringMatching(/^[-+.0-9hmsnuµ]{0,10}$/),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => ({ nanos: n.toString() })),
  fc.bigInt({ min: -5_000_000_000n, max: 40_000_000_000_000_000n }).map((n) => ({ nanos: n.toString() })),
);

describe("durations, compared with Go's and kubectl's own", () => {
  it("reads and prints a table of hard cases the same way", () => {
    for (const [index, answer] of recordedAnswers("duration", table).entries())
      expect({ question: table[index], ...ours(table[index] ?? "") }).toEqual({ question: table[index], ...answer });
  });

  it("agrees on random questions", (context) => {
    context.skip(oracleMissing !== undefined, oracleMissing);
    const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
    const questions = fc.sample(question, { numRuns: Math.min(numRuns * 20, 300_000), seed });
    for (const [index, answer] of askOracle("duration", questions).entries())
      expect({ question: questions[index], ...ours(questions[index] ?? "") }).toEqual({ question: questions[index], ...answer });
  });
});
