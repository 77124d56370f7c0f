/** The metadata of resources as the server reads it and writes it back. */
import { coerceObjectMeta, compileSchema, printFieldError, type JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers, type Answer } from "./oracle.ts";
import { Choice, randomJson } from "./schema-grammar.ts";
import { metaQuestions } from "./schema-tables.ts";

const schema = {
  type: "object",
  properties: {
    part: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    parts: { type: "array", items: { type: "object", "x-kubernetes-embedded-resource": true } },
  },
} as const;
const compiled = compileSchema(schema);

interface Question {
  readonly value: JsonValue;
  readonly drop?: boolean;
  readonly root?: boolean;
}

function expectSame({ value, drop = false, root = true }: Question, answer: Answer | undefined): void {
  const ours = coerceObjectMeta(value, compiled, { root: root ? "object" : "part", malformed: drop ? "drop" : "refuse" });
  const theirs = answer?.output as { readonly value?: JsonValue; readonly unknown?: string[]; readonly error?: { readonly text: string } };
  const context = JSON.stringify({ value, drop, root });
  if ("type" in ours) expect(printFieldError(ours), context).toBe(theirs.error?.text);
  else expect(ours, context).toEqual(theirs);
}

const fields = [
  "name",
  "labels",
  "annotations",
  "generation",
  "ownerReferences",
  "finalizers",
  "creationTimestamp",
  "deletionTimestamp",
  "managedFields",
  "deletionGracePeriodSeconds",
  "uid",
  "other",
] as const;
const samples: Readonly<Record<string, readonly JsonValue[]>> = {
  name: ["a", "", null],
  labels: [{ a: "b" }, {}, { a: null, b: "c" }],
  annotations: [{ a: "b" }],
  generation: [1, 0, null],
  ownerReferences: [[{ name: "a", uid: "u" }], [null], [], [{ controller: true, x: 1 }]],
  finalizers: [["a"], [null], []],
  creationTimestamp: ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00+01:00", null, "x"],
  deletionTimestamp: ["2020-01-01T00:00:00.5Z"],
  managedFields: [[{ manager: "m", time: "2020-01-01T00:00:00Z", fieldsV1: { "f:a": {} } }], [{}]],
  deletionGracePeriodSeconds: [0, 30],
  uid: ["u"],
  other: [1],
};

function randomMeta(choice: Choice): JsonValue {
  if (choice.chance(0.05)) return randomJson(choice, 1);
  return Object.fromEntries(
    fields
      .filter(() => choice.chance(0.25))
      .map((name) => [name, choice.chance(0.9) ? choice.pick(samples[name] ?? []) : randomJson(choice, 2)]),
  );
}

/** At most one resource with an error, because the server reports a random one of several. */
function randomQuestion(seed: number): Question {
  const choice = new Choice(seed);
  const metadata = randomMeta(choice);
  const drop = choice.chance(0.3);
  const value: JsonValue = choice.chance(0.5)
    ? { kind: "K", metadata }
    : choice.chance(0.5)
      ? { part: { metadata, extra: 1 } }
      : { parts: [{ metadata }, 5] };
  return { value, drop };
}

describe("the metadata of resources", () => {
  it("is read and written back as by the server", () => {
    const questions = metaQuestions.map((question) => ({ schema, root: true, ...question }));
    const answers = recordedAnswers("schema-meta", questions);
    for (const [index, question] of questions.entries()) expectSame(question, answers[index]);
  });

  it("is read and written back as by the server when it is random", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = Array.from({ length: process.env["DROVER_LONG"] === "1" ? 30_000 : 3000 }, (_, seed) => ({
      schema,
      root: true,
      ...randomQuestion(seed + 1),
    }));
    const answers = askOracle("schema-meta", questions);
    for (const [index, question] of questions.entries()) expectSame(question, answers[index]);
  });
});
