import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Quantity } from "@drover/machinery";

import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Question {
  readonly a: string;
  readonly b?: string;
  readonly by?: number;
}

const numbers = [
  "0",
  "1",
  "-1",
  "+5",
  "0005",
  "1.5",
  "1.500",
  "-0",
  "-0.0",
  "0.5",
  ".5",
  "5.",
  ".",
  "-",
  "+",
  "",
  "10",
  "1000",
  "1024",
  "1500",
  "999",
  "1001000",
  "0.1",
  "0.0001",
  "0.0000000001",
  "1.0000000001",
  "-0.0000000001",
  "123456789012345678",
  "1234567890123456789",
  "12345678901234567890",
  "-9223372036854775808",
  "9223372036854775807",
  "9223372036854775808",
  "0.123456789",
  "0.1234567890",
  "0.12345678901234567891",
  "8",
  "16",
  "1023",
  "7.999999999999999999999",
];
const suffixes = [
  "",
  "n",
  "u",
  "m",
  "k",
  "M",
  "G",
  "T",
  "P",
  "E",
  "Ki",
  "Mi",
  "Gi",
  "Ti",
  "Pi",
  "Ei",
  "e3",
  "E3",
  "e-3",
  "e+2",
  "e1",
  "e-9",
  "e-10",
  "e20",
  "E-20",
  "e07",
];
const odd = [
  "1K",
  "1ki",
  "1KI",
  "1kk",
  "1mi",
  "1e",
  "1E+",
  "1e1.5",
  "1 ",
  " 1",
  "1e9223372036854775807",
  "1e9223372036854775808",
  "1e4294967299",
  "1e-4294967299",
  "0x10",
  "1_000",
  "1,5",
  "١",
  "1µ",
  "Infinity",
  "NaN",
  "1.2.3",
  "--1",
  "1-",
  "1+5",
  "1e5m",
  "1n5",
  "-5Ki",
  "-1.5Ki",
  "-0.5Ki",
  "0.5Ki",
  "1.1Ki",
  "1023.5Ki",
  "2047.999Mi",
  "1000E",
  "1000000E",
  "004Ki",
  "+4Ki",
  "008Ki",
  "+12345678901Ki",
  "+123456789012Ki",
  "+1Ti",
  "+1Pi",
  "+1Ei",
  "+12Gi",
  "1e999999999",
  "1e1000000000",
  "1e-999999999",
  "0e999999999",
  "100e2000000000",
  "8Ei",
  "9Ei",
  "-9Ei",
  "7.9Ei",
  "1i",
  "1e0",
  "e5",
  "e-20",
  "Ei",
  "Ti",
  ".e-20",
  "0.e-20",
  "kM",
  "😀",
  "\ud800",
];
const pairs: Question[] = [
  ["1", "1Ki"],
  ["1Ki", "1"],
  ["0", "1Ki"],
  ["1Gi", "1073741824"],
  ["1.5", "1500m"],
  ["100m", "1n"],
  ["9223372036854775807", "1"],
  ["1e18", "9e18"],
  ["1E", "1000P"],
  ["-1", "1"],
  ["1e3", "5"],
  ["5", "1e3"],
  ["0e3", "1Mi"],
  ["1e100", "-1e100"],
  ["1n", "1E"],
  ["7Ei", "7Ei"],
  ["512Mi", "0.5"],
  ["1000", "24"],
  ["1023", "1"],
].map(([a = "", b = ""]) => ({ a, b }));
const products: Question[] = [
  ["1Ki", 3],
  ["1.5", 2],
  ["1n", -1000],
  ["9223372036854775807", 10],
  ["1Ei", 1024],
  ["5m", 0],
  ["-3Ki", 7],
].map(([a, by]) => ({ a: String(a), by: Number(by) }));

const int64 = (value: bigint): string | undefined => (BigInt.asIntN(64, value) === value ? value.toString() : undefined);

/** Compares one of our answers with theirs, field by field. */
function check({ a, b, by }: Question, theirs: Answer): void {
  let quantity: Quantity;
  try {
    quantity = Quantity.parse(a);
    if (b !== undefined) Quantity.parse(b);
  } catch (error) {
    expect({ a, b, error: (error as Error).message }).toEqual({ a, b, error: theirs.error });
    return;
  }
  const expected = theirs.output as Record<string, unknown>;
  expect({ a, b, by, error: theirs.error }).toEqual({ a, b, by, error: undefined });
  const ours: Record<string, unknown> = { text: quantity.toString(), format: quantity.format, sign: quantity.sign() };
  if (b !== undefined) {
    const other = Quantity.parse(b);
    ours["compare"] = quantity.compare(other);
    ours["add"] = [quantity.add(other).toString(), quantity.add(other).format];
    ours["sub"] = [quantity.sub(other).toString(), quantity.sub(other).format];
  } else if (by !== undefined) ours["mul"] = quantity.mul(by).toString();
  else Object.assign(ours, readings(quantity, expected));
  expect({ a, b, by, ...ours }).toEqual({ a, b, by, ...expected });
}

/** The readings of one quantity. Two of theirs are not specified: values that overflow 64 bits, and negative fractions beyond them. */
function readings(quantity: Quantity, expected: Record<string, unknown>): Record<string, unknown> {
  const wide = quantity.scaledValue(-9);
  const whole = (scale: number, name: string): unknown => {
    const value = quantity.scaledValue(scale);
    const exact = value * 10n ** BigInt(scale + 9) === wide;
    return (quantity.sign() < 0 && !exact) || int64(value) === undefined || int64(wide) === undefined ? expected[name] : value.toString();
  };
  const number = quantity.asApproximateNumber();
  const close = Math.abs(number - Number(expected["number"])) <= Math.abs(number) * 1e-15;
  return {
    canonical: quantity.neg().neg().toString(),
    neg: quantity.neg().toString(),
    value: whole(0, "value"),
    milliValue: whole(-3, "milliValue"),
    mega: whole(6, "mega"),
    number: close || Object.is(number, -0) ? expected["number"] : number,
  };
}

const digits = (max: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9]{0,${max}}$`));
const number = fc
  .tuple(fc.constantFrom("", "", "", "-", "+"), fc.oneof(digits(4), digits(22)), fc.constantFrom("", "."), fc.oneof(digits(3), digits(14)))
  .map((parts) => parts.join(""));
const suffix = fc.oneof(
  fc.constantFrom(...suffixes),
  fc.tuple(fc.constantFrom("e", "E"), fc.integer({ min: -25, max: 40 })).map((parts) => parts.join("")),
);
const quantityText = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(number, suffix).map((parts) => parts.join("")) },
  { weight: 3, arbitrary: fc.tuple(fc.integer({ min: -5000, max: 5000 }), suffix).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.stringMatching(/^[-+.eEinumkKMGTP0-9]{0,8}$/) },
);
const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ a: quantityText }),
  fc.record({ a: quantityText, b: quantityText }),
  fc.record({ a: quantityText, by: fc.integer({ min: -2000, max: 2000 }) }),
);
/** Exponents with which theirs would compute for minutes. */
const isHeavy = ({ a, b = "" }: Question): boolean => /[eE][-+]?\d{5}/.test(a) || /[eE][-+]?\d{5}/.test(b);

describe("quantities, compared with Kubernetes' own", () => {
  it("reads, prints and computes a table of hard cases the same way", () => {
    const table: Question[] = [...numbers.flatMap((n) => suffixes.map((s) => ({ a: n + s }))), ...pairs, ...products];
    const answers = recordedAnswers("quantity", table);
    for (const [index, row] of table.entries()) check(row, answers[index] ?? {});
  });

  it("reads odd texts the same way, or refuses them with the same words", () => {
    const texts = odd.filter((text) => text !== "1e-999999999");
    const answers = recordedAnswers("quantity-json", texts);
    for (const [index, text] of texts.entries()) {
      const { output, error } = answers[index] ?? {};
      const ours = ((): Answer => {
        try {
          return { output: Quantity.fromJson(text).toJSON() };
        } catch (thrown) {
          return { error: (thrown as Error).message };
        }
      })();
      expect({ text, ...ours }).toEqual({ text, ...(error === undefined ? { output } : { error }) });
    }
  });

  it("agrees on random questions", (context) => {
    context.skip(oracleMissing !== undefined, oracleMissing);
    const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
    const questions = fc.sample(question, { numRuns: Math.min(numRuns * 20, 200_000), seed }).filter((row) => !isHeavy(row));
    const answers = askOracle("quantity", questions);
    for (const [index, row] of questions.entries()) check(row, answers[index] ?? {});
  });
});
