/**
 * Validation against schemas, compared with the validators of the API server. Their errors come in random order, so
 * they are compared sorted.
 */
import {
  applyDefaults,
  compileSchema,
  dropNulls,
  jsonEqual,
  printFieldError,
  prune,
  validate,
  validateEmbeddedResources,
  validateListTypes,
  validateValue,
  type FieldError,
  type JsonValue,
  type Schema,
} from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import { Choice, changed, randomSchema, randomValue } from "./schema-grammar.ts";
import { settleQuestions, updateQuestions, validateQuestions } from "./schema-tables.ts";

interface Question {
  readonly schema: Schema;
  readonly value?: JsonValue;
  readonly old?: JsonValue;
  readonly path?: string;
}
interface TheirError {
  readonly type: string;
  readonly field: string;
  readonly value: JsonValue;
  readonly detail: string;
  readonly text: string;
}
type TheirAnswer = Readonly<Record<"value" | "lists" | "embedded", readonly TheirError[]>>;

const none: TheirAnswer = { value: [], lists: [], embedded: [] };
const sorted = (errors: readonly FieldError[]): string[] => errors.map(printFieldError).toSorted();
const theirs = (errors: readonly TheirError[]): string[] => errors.map(({ text }) => text).toSorted();

function expectSame({ schema, value = null, old, path = "" }: Question, answer: TheirAnswer): void {
  const compiled = compileSchema(schema);
  const ours = {
    value: sorted(validateValue(value, compiled, { path, old })),
    lists: sorted(validateListTypes(value, compiled, { path, old })),
    embedded: sorted(validateEmbeddedResources(value, compiled, { path })),
    all: sorted(validate(value, compiled, { path, old })),
  };
  const expected = {
    value: theirs(answer.value),
    lists: theirs(answer.lists),
    embedded: theirs(answer.embedded),
    all: theirs([...answer.value, ...answer.lists, ...answer.embedded]),
  };
  // Thousands of questions: the slow matcher only explains failures.
  if (!jsonEqual(ours, expected)) expect(ours, JSON.stringify({ schema, value, old, path })).toEqual(expected);
}

function randomQuestion(seed: number): Question {
  const choice = new Choice(seed);
  const schema = randomSchema(choice, { depth: 3, structural: choice.chance(0.5) }, "object");
  const value = randomValue(choice, schema);
  const old = choice.chance(0.4) ? changed(choice, value, schema) : null;
  return { schema, value, ...(old === null ? {} : { old }), path: choice.chance(0.2) ? "status" : "" };
}

describe("validation of a value against its schema", () => {
  for (const [name, questions] of [
    ["created", validateQuestions],
    ["updated", updateQuestions],
  ] as const) {
    it(`has the server's errors when it is ${name}`, () => {
      const answers = recordedAnswers("schema-validate", [...validateQuestions, ...updateQuestions]);
      const offset = name === "created" ? 0 : validateQuestions.length;
      for (const [index, question] of questions.entries()) {
        const answer = answers[offset + index];
        expect(answer?.error, JSON.stringify(question)).toBeUndefined();
        expectSame(question, answer?.output as TheirAnswer);
      }
    });
  }

  it("has the types, fields and values of the server's errors, not only their texts", () => {
    const answers = recordedAnswers("schema-validate", [...validateQuestions, ...updateQuestions]);
    for (const [index, { schema, value = null, path = "" }] of validateQuestions.entries()) {
      const expected = ((answers[index]?.output ?? none) as TheirAnswer).value.toSorted((a, b) => (a.text < b.text ? -1 : 1));
      const ours = validateValue(value, compileSchema(schema), { path }).toSorted((a, b) =>
        printFieldError(a) < printFieldError(b) ? -1 : 1,
      );
      expect(ours.map(({ field, detail }) => ({ field: field === "" ? "<nil>" : field, detail }))).toEqual(
        expected.map(({ field, detail }) => ({ field, detail })),
      );
      expect(ours.map(({ type }) => `FieldValue${type}`)).toEqual(expected.map(({ type }) => type));
      expect(ours.map((error) => error.value ?? null).every((found, at) => jsonEqual(found, expected[at]?.value ?? null))).toBe(true);
    }
  });

  it("has the server's errors for random schemas and values", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = Array.from({ length: process.env["DROVER_LONG"] === "1" ? 30_000 : 3000 }, (_, seed) => randomQuestion(seed + 1));
    for (const [index, answer] of askOracle("schema-validate", questions).entries()) {
      const question = questions[index];
      if (question !== undefined) expectSame(question, answer.output as TheirAnswer);
    }
  });
});

describe("whole numbers beyond 2^53", () => {
  it("are compared to the last digit, as by the server", () => {
    const schema = (number: Schema): Schema => ({ type: "object", properties: { a: number } });
    const questions = [2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n, 2n ** 64n].flatMap((value) =>
      [
        { type: "integer" },
        { type: "integer", format: "int64", maximum: 2 ** 53 },
        { type: "integer", format: "int32" },
        { type: "number", minimum: 2 ** 60 },
        { type: "integer", multipleOf: 3 },
      ].map((number) => ({ value, number })),
    );
    const answers = recordedAnswers(
      "schema-validate-int64",
      questions.map(({ value, number }) => ({ schema: schema(number), raw: `{"a":${value}}` })),
    );
    for (const [index, { value, number }] of questions.entries()) {
      expect(sorted(validateValue({ a: value }, compileSchema(schema(number)))), `${value} ${JSON.stringify(number)}`).toEqual(
        theirs(((answers[index]?.output ?? none) as TheirAnswer).value),
      );
    }
  });
});

describe("defaults and pruning", () => {
  it("do what the server does", () => {
    const questions = settleQuestions;
    const defaulted = recordedAnswers("schema-default", questions);
    const pruned = recordedAnswers("schema-prune", questions);
    for (const [index, { schema, value, root }] of questions.entries()) {
      const compiled = compileSchema(schema);
      const withoutNulls = dropNulls(value, compiled);
      expect({ withoutNulls, defaulted: applyDefaults(withoutNulls, compiled) }).toEqual(defaulted[index]?.output);
      expect(prune(value, compiled, { root: root ? "object" : "part" })).toEqual(pruned[index]?.output);
    }
  });

  it("do to random values what the server does", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = Array.from({ length: process.env["DROVER_LONG"] === "1" ? 30_000 : 3000 }, (_, seed) => ({
      ...randomQuestion(seed + 500_000),
      root: seed % 4 !== 0,
    }));
    const defaulted = askOracle("schema-default", questions);
    const pruned = askOracle("schema-prune", questions);
    for (const [index, { schema, value = null, root }] of questions.entries()) {
      const compiled = compileSchema(schema);
      const withoutNulls = dropNulls(value, compiled);
      const ours = {
        defaulted: { withoutNulls, defaulted: applyDefaults(withoutNulls, compiled) },
        pruned: prune(value, compiled, { root: root ? "object" : "part" }),
      };
      const expected = { defaulted: defaulted[index]?.output, pruned: pruned[index]?.output };
      if (!jsonEqual(ours, expected)) expect(ours, JSON.stringify({ schema, value, root })).toEqual(expected);
    }
  });
});
