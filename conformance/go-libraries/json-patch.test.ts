import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { applyJsonPatch, parseJsonPatch } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";

import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Question {
  readonly document: JsonValue;
  readonly patch: JsonValue;
}

const document: JsonValue = { a: 1, l: [1, 2], n: null, o: { p: { q: 1 } }, "~/": [{ x: "y" }], "": 0 };

const patches: readonly JsonValue[] = [
  {},
  "x",
  5,
  1.5,
  true,
  null,
  [],
  [1],
  ["a"],
  [true],
  [[1]],
  [null],
  [{ op: 1 }],
  [{ op: null }],
  [{ op: "zap", path: "/a" }],
  [{ path: "/a" }],
  [{ op: "add", path: 5 }],
  [{ op: "add", path: {} }],
  [{ op: "add", path: "/a", from: [1] }],
  [{ op: "add", path: "/a", value: 1, extra: 1, Op: "x", z: 2 }],
  [{ op: "add", path: 5, from: true }, { op: 2 }],
  [{ op: "add", path: "/a", value: 1 }, 3],
  [{ op: "add" }],
  [{ op: "remove" }],
  [{ op: "replace" }],
  [{ op: "test" }],
  [{ op: "move", path: "/x" }],
  [{ op: "copy", path: "/x" }],
  [{ op: "move", from: "/a" }],
  [{ op: "copy", from: "/a" }],
  [{ op: "add", path: null }],
  [{ op: "add", path: "/new", value: { x: [1] } }],
  [{ op: "add", path: "/a", value: 2 }],
  [{ op: "add", path: "/o/x" }],
  [{ op: "add", path: "", value: {} }],
  [{ op: "add", path: "/", value: 1 }],
  [{ op: "add", path: "a/b", value: 1 }],
  [{ op: "add", path: "ab", value: 1 }],
  [{ op: "add", path: "/a/b", value: 1 }],
  [{ op: "add", path: "/n/b", value: 1 }],
  [{ op: "add", path: "/l/0/b", value: 1 }],
  [{ op: "add", path: "/~0~1/0/~01", value: 1 }],
  [{ op: "add", path: "/o/~2~", value: 1 }],
  [{ op: "add", path: "/o/é\n", value: 1 }],
  [{ op: "add", path: "/o//x", value: 1 }],
  ...[
    "0",
    "1",
    "2",
    "3",
    "-",
    "-1",
    "-2",
    "-3",
    "-4",
    "+1",
    "01",
    "-0",
    "x",
    "é\n",
    "",
    "1.0",
    "1e0",
    " 1",
    "99999999999999999999",
    "-9223372036854775808",
    "9223372036854775807",
    "-9223372036854775809",
    "00000000000000000000001",
  ].flatMap((key): JsonValue[] => [
    [{ op: "add", path: `/l/${key}`, value: 9 }],
    [{ op: "remove", path: `/l/${key}` }],
    [{ op: "replace", path: `/l/${key}`, value: 9 }],
    [{ op: "test", path: `/l/${key}`, value: 2 }],
    [{ op: "copy", from: `/l/${key}`, path: "/c" }],
    [{ op: "move", from: `/l/${key}`, path: "/c" }],
    [{ op: "copy", from: "/o", path: `/l/${key}` }],
    [{ op: "move", from: "/o", path: `/l/${key}` }],
  ]),
  [{ op: "remove", path: "" }],
  [{ op: "remove", path: "/nope" }],
  [{ op: "remove", path: "/nope/x" }],
  [{ op: "remove", path: "/o/p/q" }],
  [{ op: "remove", path: "/n" }],
  [{ op: "remove", path: "/" }],
  [
    { op: "replace", path: "", value: { z: 1 } },
    { op: "add", path: "/y", value: 2 },
  ],
  [
    { op: "replace", path: "", value: [1] },
    { op: "add", path: "/0", value: 2 },
  ],
  [{ op: "replace", path: "", value: 1 }],
  [{ op: "replace", path: "", value: null }],
  [{ op: "replace", path: "/nope", value: 1 }],
  [{ op: "replace", path: "/a/b", value: 1 }],
  [{ op: "replace", path: "/a" }],
  [
    { op: "replace", path: "/o", value: [1] },
    { op: "replace", path: "/o/0", value: { deep: true } },
    { op: "add", path: "/o/0/x", value: 1 },
  ],
  [{ op: "test", path: "/a", value: 1 }],
  [{ op: "test", path: "/a", value: "1" }],
  [{ op: "test", path: "/a" }],
  [{ op: "test", path: "/nope", value: 1 }],
  [{ op: "test", path: "/nope", value: null }],
  [{ op: "test", path: "/nope" }],
  [{ op: "test", path: "/n", value: null }],
  [{ op: "test", path: "/n", value: 1 }],
  [{ op: "test", path: "/n/x", value: 1 }],
  [{ op: "test", path: "/o", value: { p: { q: 1 } } }],
  [{ op: "test", path: "/o", value: { p: { q: 1, r: 2 } } }],
  [{ op: "test", path: "/l", value: [1, 2] }],
  [{ op: "test", path: "/l", value: [2, 1] }],
  [{ op: "test", path: "/l", value: { 0: 1, 1: 2 } }],
  [{ op: "test", path: "", value: {} }],
  [{ op: "test", path: "", value: document }],
  [{ op: "test", path: "", value: null }],
  [{ op: "copy", from: "/nope", path: "/b" }],
  [{ op: "copy", from: "/nope/x", path: "/b" }],
  [{ op: "copy", from: "/o", path: "/o/p/o" }],
  [{ op: "copy", from: "/o", path: "/nope/x" }],
  [{ op: "copy", from: "", path: "/b" }],
  [
    { op: "copy", from: "/o", path: "/b" },
    { op: "add", path: "/b/p/q", value: 2 },
    { op: "add", path: "/o/p/z", value: 3 },
  ],
  [
    { op: "add", path: "/o/p/z", value: 3 },
    { op: "copy", from: "/o", path: "/b" },
    { op: "add", path: "/b/p/q", value: 2 },
    { op: "remove", path: "/o/p/z" },
  ],
  [{ op: "move", from: "/nope", path: "/b" }],
  [{ op: "move", from: "/o", path: "/o/x" }],
  [{ op: "move", from: "/o", path: "/o" }],
  [{ op: "move", from: "/x/y", path: "/o/x" }],
  [{ op: "move", from: "/a", path: "/nope/x" }],
  [{ op: "move", from: "/o/p", path: "/l/-" }],
  [{ op: "move", from: "/l/0", path: "/l/-" }],
  [{ op: "move", from: "", path: "/b" }],
  [
    { op: "add", path: "/__proto__", value: { polluted: true } },
    { op: "add", path: "/__proto__/x", value: 1 },
  ],
  [{ op: "add", path: "/constructor/prototype/polluted", value: true }],
  [{ op: "test", path: "/toString", value: null }],
];
const table = [
  ...patches.map((patch): Question => ({ document, patch })),
  { document: [1, [2]], patch: [{ op: "add", path: "/1/0", value: 3 }] },
  {
    document: { a: 1 },
    patch: [
      { op: "add", path: "/b", value: 2 },
      { op: "remove", path: "/nope" },
    ],
  },
];

// Too large to record: exactly 3 MiB of copies, one byte more, and texts whose escapes count.
const copies = (count: number): JsonValue[] => Array.from({ length: count }, (): JsonValue => ({ op: "copy", from: "/l/2", path: "/l/-" }));
const largeTable = [1_048_574, 1_048_575]
  .map((size) => [{ op: "add", path: "/l/-", value: "x".repeat(size) }, ...copies(3)])
  .concat([[{ op: "add", path: "/l/-", value: { "<": '<&>\u2028é😀\u0001\n"\\'.repeat(20_000) } }, ...copies(9)]])
  .map((patch): Question => ({ document, patch }));

const ours = ({ document: from, patch }: Question): Answer => {
  try {
    const { operations, unknownFields } = parseJsonPatch(patch);
    return { output: { result: applyJsonPatch(from, operations), strict: unknownFields } };
  } catch (error) {
    return { error: (error as Error).message };
  }
};

const key = fc.constantFrom("a", "b", "c", "0", "1", "-", "-1", "2", "~", "/", "", "__proto__");
const scalar = fc.constantFrom<JsonValue>(0, 1, "x", "y", true, null, 1.5);
// Lists without null: the library panics when it compares one.
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
    fc.array(
      tie("value").filter((item) => item !== null),
      { maxLength: 3 },
    ),
  ),
}));
const path = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom("a", "b", "0"), fc.constantFrom("a", "b", "0"), key), { minLength: 1, maxLength: 3 })
      .map((tokens) => tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")),
  },
  { weight: 1, arbitrary: fc.stringMatching(/^[ab/~01-]{0,5}$/) },
);
const operation: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.record({ op: fc.constantFrom("add", "add", "replace", "test"), path, value: value.filter((item) => item !== null) }),
  fc.record({ op: fc.constant("remove"), path }),
  fc.record({ op: fc.constantFrom("move", "copy"), from: path, path }),
);
const question = fc.record({
  document: fc.record({ a: value, b: value, 0: value }),
  patch: fc.array(operation, { minLength: 1, maxLength: 3 }),
});

describe("JSON patches, compared with the library of the server", () => {
  it("gives the same documents and the same messages for a table of hard cases", () => {
    for (const [index, answer] of recordedAnswers("json-patch", table).entries()) {
      const asked = table[index] ?? { document, patch: null };
      expect({ patch: asked.patch, ...ours(asked) }).toEqual({ patch: asked.patch, ...answer });
    }
  });

  it("stops copying at the same byte", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    for (const [index, answer] of askOracle("json-patch", largeTable).entries())
      expect(ours(largeTable[index] ?? { document, patch: null })).toEqual(answer);
  });

  it("agrees on random patches", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
    const questions = fc.sample(question, { numRuns: Math.min(numRuns * 20, 100_000), seed });
    let applied = 0;
    for (const [index, answer] of askOracle("json-patch", questions).entries()) {
      const asked = questions[index] ?? { document, patch: null };
      if (answer.output !== undefined) applied++;
      // Where the library panics there is nothing to compare with: a null inserted by an operation, then compared or
      // entered.
      if (answer.error?.startsWith("panic") !== true) expect({ ...asked, ...ours(asked) }).toEqual({ ...asked, ...answer });
    }
    expect(applied).toBeGreaterThan(questions.length / 10);
  });
});
