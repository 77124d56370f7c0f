/** Field errors as text and as causes of a Status, compared with Kubernetes' own. */
import {
  fieldDuplicate,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooFew,
  fieldTooLong,
  fieldTooLongCharacters,
  fieldTooMany,
  fieldTooShort,
  fieldTypeInvalid,
  newInvalid,
} from "@drover/machinery";
import type { FieldError, Status } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Question {
  readonly make: string;
  readonly path: string;
  readonly value?: unknown;
  readonly detail?: string;
  readonly valid?: readonly string[];
  readonly limit?: number;
  readonly actual?: number;
}

function make({ make: type, path, value = null, detail = "", valid = [], limit = 0, actual = 0 }: Question): FieldError {
  switch (type) {
    case "Required":
      return fieldRequired(path, detail);
    case "Invalid":
      return fieldInvalid(path, value, detail);
    case "TypeInvalid":
      return fieldTypeInvalid(path, value, detail);
    case "NotSupported":
      return fieldNotSupported(path, value, valid);
    case "Duplicate":
      return fieldDuplicate(path, value);
    case "Forbidden":
      return fieldForbidden(path, detail);
    case "NotFound":
      return fieldNotFound(path, value);
    case "TooLong":
      return fieldTooLong(path, limit);
    case "TooLongCharacters":
      return fieldTooLongCharacters(path, limit);
    case "TooShort":
      return fieldTooShort(path, "x", limit);
    case "TooMany":
      return fieldTooMany(path, actual, limit);
    case "TooFew":
      return fieldTooFew(path, actual, limit);
    default:
      return fieldInternal(path, detail);
  }
}

const ask = (questions: readonly Question[]): Status => newInvalid({ group: "apps", kind: "Deployment" }, "web", questions.map(make));
// The oracle answers with the value, without the prefix that a server writes before it.
const theirs = (answer: Answer | undefined): unknown => ({ kind: "Status", apiVersion: "v1", ...(answer?.output as object) });

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e20,
  1e21,
  1.5e21,
  0.0001,
  0.00001,
  1.5e-7,
  1e-10,
  123456789012345,
  9007199254740991,
  "",
  "a",
  'a"b\\c',
  "tab\tnl\ncr\r",
  "\u0000\u0001\u0007\b\f\v\u001f\u007f",
  "é",
  "日本",
  "😀",
  "\u00a0\u00ad\u200b\u2028\u2029\ufeff\ufffd",
  "\u{e0001}\u{10ffff}",
  "<a>&",
  [],
  {},
  [1, "a", null, true, 1.5],
  { b: 1, a: { d: [], c: "<&>" } },
  { é: 1, "": 2, Z: 3, a: 4 },
  { "\ue000": 1, "😀": 2 },
  [1e-7, 1e21, 1e20, 0.1, 1e-6],
  ['\u2028\u0000\u007f"\\\b\f\n\r\t\u0001'],
  [[[[1]]]],
];
const table: readonly (readonly Question[])[] = [
  [],
  ...values.flatMap((value) =>
    ["Invalid", "NotFound"].map((type): Question[] => [{ make: type, path: "spec.x", value, detail: "no good" }]),
  ),
  ...["Required", "Invalid", "TypeInvalid", "NotSupported", "Duplicate", "Forbidden", "NotFound", "Internal"].flatMap((type) =>
    ["", "some detail"].map((detail): Question[] => [{ make: type, path: "spec.x", value: "v", detail }]),
  ),
  ...["TooLong", "TooLongCharacters", "TooShort", "TooMany", "TooFew"].flatMap((type) =>
    [-1, 0, 1, 2, 100].flatMap((limit) => [0, 5].map((actual): Question[] => [{ make: type, path: "spec.x", limit, actual }])),
  ),
  [{ make: "TooMany", path: "spec.x", actual: -1, limit: 3 }],
  [{ make: "NotSupported", path: "spec.x", value: "z", valid: ["a", 'b"', "é\n"] }],
  [
    { make: "Required", path: "" },
    { make: "Invalid", path: "", value: 1, detail: "d" },
  ],
  [
    { make: "Required", path: "a" },
    { make: "Required", path: "a" },
  ],
  [
    { make: "Required", path: "a" },
    { make: "Required", path: "b" },
    { make: "Required", path: "a" },
  ],
];

// A whole number beyond 2^53 reaches Go as an integer, and us, from our own decoder, as a bigint; the JSON.parse used
// here cannot tell.
const settleNumber = (_key: string, value: unknown): unknown =>
  typeof value === "number" && Math.abs(value) < 1e21 && Number.isInteger(value) && !Number.isSafeInteger(value) ? 0 : value;
const question: fc.Arbitrary<Question> = fc.record({
  make: fc.constantFrom(
    "Required",
    "Invalid",
    "TypeInvalid",
    "NotSupported",
    "Duplicate",
    "Forbidden",
    "NotFound",
    "TooLong",
    "TooMany",
    "Internal",
  ),
  path: fc.constantFrom("", "a", "spec.x[0]"),
  // A lone surrogate cannot be sent to the oracle, and −0 cannot be sent as JSON.
  value: fc
    .jsonValue({
      maxDepth: 2,
      stringUnit: fc.oneof(
        fc.constantFrom("<", "&", '"', "\\", "\n", "\u0000", "\u007f", "\u00ad", "\u2028", "😀", "é"),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      ),
    })
    .map((value) => JSON.parse(JSON.stringify(value), settleNumber) as unknown),
  detail: fc.constantFrom("", "d"),
  valid: fc.array(fc.string(), { maxLength: 2 }),
  limit: fc.integer({ min: -1, max: 3 }),
  actual: fc.integer({ min: -1, max: 3 }),
});

// Go's tables are of Unicode 15; an engine with a later version prints characters that Go escapes. These blocks were
// complete before.
const settledBlocks = [...Array.from({ length: 8 }, (_, block) => block), 0x21, 0x30, 0xe0, 0xfe, 0xff, 0x1f3, 0xe00, 0x10ff];
const isSettled = (text: string): boolean =>
  Array.from(text, (char) => (char.codePointAt(0) ?? 0) >> 8).every((block) => settledBlocks.includes(block));

describe("field errors and Kubernetes' own", () => {
  it("agree on a table of errors, in words and in causes", () => {
    const answers = recordedAnswers("field-error", table);
    for (const [index, questions] of table.entries()) expect(ask(questions), JSON.stringify(questions)).toEqual(theirs(answers[index]));
  });

  it("agree on random errors", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const lists = fc
      .sample(fc.array(question, { maxLength: 3 }), process.env["DROVER_LONG"] === "1" ? 50_000 : 3000)
      .filter((list) => isSettled(JSON.stringify(list)));
    const answers = askOracle("field-error", lists);
    for (const [index, list] of lists.entries()) expect(ask(list), JSON.stringify(list)).toEqual(theirs(answers[index]));
  });

  it("agree on how every character of settled blocks is quoted", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const lists = settledBlocks.map((block): Question[] => {
      const value = Array.from({ length: 256 }, (_, low) => String.fromCodePoint(block * 256 + low)).join("");
      return [
        { make: "Invalid", path: "x", value, detail: "" },
        { make: "Invalid", path: "x", value: [value], detail: "" },
      ];
    });
    const answers = askOracle("field-error", lists);
    expect(lists.map((list) => ask(list).message)).toEqual(answers.map((answer) => (answer.output as Status).message));
  });
});
