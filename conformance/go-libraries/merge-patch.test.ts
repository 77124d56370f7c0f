import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  applyMergePatch,
  diffMergePatch,
  mergePatchesConflict,
  parseMergePatch,
  requireKeyUnchanged,
  requireMetadataKeyUnchanged,
  threeWayMergePatch,
} from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Subject<Q> {
  readonly name: string;
  readonly table: readonly Q[];
  readonly questions: fc.Arbitrary<Q>;
  readonly ours: (question: Q) => unknown;
}

const scalar = fc.constantFrom<JsonValue>(0, 1, "x", true, 1.5);
const key = fc.constantFrom("a", "b", "c", "metadata", "kind", "__proto__");
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.constant(null),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));
const object: fc.Arbitrary<JsonObject> = fc.dictionary(key, value, { maxKeys: 4 });

const apply: Subject<{ readonly document: JsonObject; readonly patch: JsonValue }> = {
  name: "merge-patch",
  table: [
    ...[[], "x", 1, true, null].map((patch: JsonValue) => ({ document: { a: 1 }, patch })),
    { document: { a: "b" }, patch: { a: "c" } },
    { document: { a: "b" }, patch: { b: "c" } },
    { document: { a: "b", b: "c" }, patch: { a: null } },
    { document: { a: ["b"] }, patch: { a: "c" } },
    { document: { a: "c" }, patch: { a: ["b"] } },
    { document: { a: { b: "c" } }, patch: { a: { b: "d", c: null } } },
    { document: { a: [{ b: "c" }] }, patch: { a: [1] } },
    { document: { e: null }, patch: { a: 1 } },
    { document: {}, patch: { a: { bb: { ccc: null } } } },
    // Nulls inside lists: dropped when the list is new or replaces a scalar, kept when it replaces an object.
    { document: {}, patch: { a: [{ b: null, c: [null, { d: null }] }, null] } },
    { document: { a: 1 }, patch: { a: [{ b: null }] } },
    { document: { a: {} }, patch: { a: [{ b: null }] } },
    { document: { a: null }, patch: { a: { b: null } } },
    { document: { a: [1] }, patch: { a: { b: null, c: 1 } } },
    { document: { a: { b: null } }, patch: { a: { c: 1 } } },
    { document: {}, patch: { ["__proto__"]: { x: 1 } } },
  ],
  questions: fc.record({ document: object, patch: object }),
  ours: ({ document, patch }) => applyMergePatch(document, parseMergePatch(patch)),
};

const diff: Subject<{ readonly from: JsonObject; readonly to: JsonObject }> = {
  name: "merge-patch-diff",
  table: [
    { from: {}, to: {} },
    { from: { a: 1 }, to: { a: 1 } },
    { from: { a: 1 }, to: {} },
    { from: {}, to: { a: null } },
    { from: { a: 1 }, to: { a: null } },
    { from: { a: null }, to: { a: 1 } },
    { from: { a: { b: 1 } }, to: { a: {} } },
    { from: { a: [1, { b: 2 }] }, to: { a: [1, { b: 2 }] } },
    { from: { a: [1] }, to: { a: [2] } },
    { from: { a: { b: 1, c: 2 } }, to: { a: { b: 1, c: null } } },
    { from: { a: 1 }, to: { a: { b: null } } },
  ],
  questions: fc.record({ from: object, to: object }),
  ours: ({ from, to }) => diffMergePatch(from, to),
};

interface ThreeWayQuestion {
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly current: JsonObject;
  readonly unchanged: readonly string[];
}

const threeWay: Subject<ThreeWayQuestion> = {
  name: "merge-patch-three-way",
  table: [
    { original: {}, modified: {}, current: {}, unchanged: [] },
    { original: { a: 1, b: 2 }, modified: { a: 1 }, current: { a: 3, b: 2, c: 4 }, unchanged: [] },
    { original: { a: 1 }, modified: { b: { c: {} } }, current: { a: 1, b: { d: 1 } }, unchanged: [] },
    { original: { a: { b: 1, c: 2 } }, modified: { a: { b: 1 } }, current: { a: { b: 2, c: 2, d: 3 } }, unchanged: [] },
    { original: { a: 1 }, modified: { a: null }, current: { a: 1 }, unchanged: [] },
    { original: { a: 1 }, modified: { a: { b: null, c: {} } }, current: {}, unchanged: [] },
    { original: { a: [{ b: null }] }, modified: { a: [{ b: null, c: 1 }] }, current: {}, unchanged: [] },
    { original: { kind: "A" }, modified: { kind: "B", list: [1, "x", null, { y: 1.5 }] }, current: { kind: "A" }, unchanged: ["kind"] },
    { original: {}, modified: { metadata: { name: "b" } }, current: { metadata: { name: "a" } }, unchanged: ["name"] },
    { original: {}, modified: { metadata: 1 }, current: {}, unchanged: ["name"] },
  ],
  questions: fc.record({ original: object, modified: object, current: object, unchanged: fc.subarray(["kind", "a"]) }),
  ours: ({ unchanged, ...states }) =>
    threeWayMergePatch(states, {
      preconditions: unchanged.flatMap((name) => [requireKeyUnchanged(name), requireMetadataKeyUnchanged(name)]),
    }),
};

const conflicts: Subject<{ readonly left: JsonValue; readonly right: JsonValue }> = {
  name: "merge-patch-conflicts",
  table: [
    { left: "a", right: "a" },
    { left: "a", right: null },
    { left: null, right: null },
    { left: 1, right: "1" },
    { left: [], right: [] },
    { left: [1], right: [] },
    { left: [1], right: [2] },
    { left: {}, right: [] },
    { left: {}, right: {} },
    { left: { a: 1 }, right: { b: 2 } },
    { left: { a: 1 }, right: { a: 2 } },
    { left: { a: { b: [{ c: 1 }] } }, right: { a: { b: [{ d: 1 }] } } },
    { left: { a: { b: 1 } }, right: { a: null } },
    { left: { a: 1 }, right: 1 },
  ],
  questions: fc.record({ left: value, right: value }),
  ours: ({ left, right }) => ({ conflict: mergePatchesConflict(left, right) }),
};

function answer<Q>({ ours }: Subject<Q>, question: Q): Answer {
  try {
    return { output: ours(question) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function compare<Q>(subject: Subject<Q>): void {
  it(`${subject.name}: gives the same answers to a table of hard cases`, () => {
    const answers = recordedAnswers(subject.name, subject.table);
    for (const [index, question] of subject.table.entries())
      expect({ question, ...answer(subject, question) }).toEqual({ question, ...answers[index] });
  });

  it(`${subject.name}: agrees on random questions`, (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
    const questions = fc.sample(subject.questions, { numRuns: Math.min(numRuns * 20, 100_000), seed });
    const answers = askOracle(subject.name, questions);
    for (const [index, question] of questions.entries())
      expect({ question, ...answer(subject, question) }).toEqual({ question, ...answers[index] });
  });
}

describe("merge patches, compared with Kubernetes' own libraries", () => {
  compare(apply);
  compare(diff);
  compare(threeWay);
  compare(conflicts);
});
