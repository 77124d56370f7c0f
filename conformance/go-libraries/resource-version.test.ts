import { compareResourceVersions } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";

const random = process.env["DROVER_LONG"] === "1" ? 100_000 : 5_000;
const versions = [
  "",
  "0",
  "1",
  "9",
  "10",
  "100",
  "0100",
  "100a",
  "a",
  "-1",
  "+1",
  " 1",
  "18446744073709551615",
  "18446744073709551616",
  "1".repeat(60),
  "2".repeat(59),
  "٣",
];
const pairs = versions.flatMap((a) => versions.map((b) => [a, b] as const));

describe("comparing resource versions", () => {
  it("agrees with apimachinery", () => {
    const answers = recordedAnswers("resource-version", pairs);
    for (const [index, [a, b]] of pairs.entries()) expect(compareResourceVersions(a, b), `${a} ${b}`).toBe(answers[index]?.output);
  });

  it("agrees with apimachinery on any two texts", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const version = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
      fc.nat(200).map(String),
      fc.string({ unit: fc.constantFrom("0", "1", "9", "a", "é"), maxLength: 3 }),
    );
    const questions = fc.sample(fc.tuple(version, version), random);
    const answers = askOracle("resource-version", questions);
    for (const [index, [a, b]] of questions.entries()) expect(compareResourceVersions(a, b), `${a} ${b}`).toBe(answers[index]?.output);
  });
});
