import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseIntOrString, scaledValueFromIntOrPercent } from "@drover/machinery";
import type { IntOrString } from "@drover/machinery";

import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Question {
  readonly parse?: string;
  readonly value?: IntOrString;
  readonly total?: number;
  readonly roundUp?: boolean;
}

const parses = [
  "",
  "0",
  "-0",
  "+7",
  "080",
  "http",
  "2147483647",
  "2147483648",
  "-2147483648",
  "-2147483649",
  "1.5",
  "1e3",
  "0x10",
  "1_0",
  " 1",
  "99999999999999999999",
  "25%",
].map((parse) => ({ parse }));
const values: readonly IntOrString[] = [
  0,
  5,
  -3,
  "25%",
  "0%",
  "100%",
  "150%",
  "33%",
  "-1%",
  "+10%",
  "050%",
  "5",
  "%",
  "",
  "a%",
  "1.5%",
  "10%%",
  "99999999999999999999%",
  "-99999999999999999999%",
  "1 %",
  "é%",
  'a"\u0007\u200b\n%',
  "\u00ad%",
  "😀%",
];
const table: readonly Question[] = [
  ...parses,
  {},
  ...values.flatMap((value) => [0, 1, 3, 10, 99].flatMap((total) => [true, false].map((roundUp) => ({ value, total, roundUp })))),
];

const ours = ({ parse, value, total = 0, roundUp = false }: Question): Answer => {
  try {
    return {
      output: parse === undefined ? scaledValueFromIntOrPercent(value, total, { round: roundUp ? "up" : "down" }) : parseIntOrString(parse),
    };
  } catch (error) {
    return { error: (error as Error).message };
  }
};

const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ parse: fc.oneof(fc.stringMatching(/^[-+0-9]{0,11}$/), fc.string()) }),
  fc.record({
    value: fc.oneof(
      fc.integer(),
      fc.integer({ min: -200, max: 200 }).map((n) => `${n}%`),
      fc.string().map((s) => `${s}%`),
    ),
    total: fc.integer({ min: -1000, max: 100_000 }),
    roundUp: fc.boolean(),
  }),
);

describe("int-or-string, compared with Kubernetes' own", () => {
  it("reads and scales a table of hard cases the same way", () => {
    for (const [index, answer] of recordedAnswers("int-or-string", table).entries())
      expect({ question: table[index], ...ours(table[index] ?? {}) }).toEqual({ question: table[index], ...answer });
  });

  it("agrees on random questions", (context) => {
    context.skip(oracleMissing !== undefined, oracleMissing);
    const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
    const questions = fc.sample(question, { numRuns: Math.min(numRuns * 20, 200_000), seed });
    for (const [index, answer] of askOracle("int-or-string", questions).entries())
      expect({ question: questions[index], ...ours(questions[index] ?? {}) }).toEqual({ question: questions[index], ...answer });
  });
});
