import { semanticDerivative, semanticEqual } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

/** The Go type of the oracle, as the server's own document describes it: a struct that always exists has the default {}. */
const text: Schema = { type: "string" };
const quantity: Schema = { format: "quantity" };
const words: Schema = { type: "array", items: text };
const inner: { -readonly [K in keyof Schema]: Schema[K] } = { type: "object" };
inner.properties = { words, size: quantity, choice: inner };
const always = { ...inner, default: {} };
const properties: Record<string, Schema> = {
  text,
  number: { type: "integer", format: "int64" },
  flag: { type: "boolean" },
  name: { type: "string", default: "" },
  size: quantity,
  at: { type: "string", format: "date-time" },
  exact: { type: "string", format: "micro-time" },
  labels: { type: "object", additionalProperties: { type: "string", default: "" } },
  limits: { type: "object", additionalProperties: quantity },
  extra: { type: "object", additionalProperties: words },
  words,
  inner: always,
  choice: inner,
  byKey: { type: "object", additionalProperties: always },
};
const sample: Schema = { type: "object", properties };
properties["items"] = { type: "array", items: { ...sample, default: {} } };

const size = fc.constantFrom<string | number>("1", "1000m", "1k", "1000", 1, "0", "0m", "1Ki", "1024", "500m", 0.5);
const word = fc.constantFrom("a", "b");
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });
const { value } = fc.letrec<{ value: object; inner: object }>((tie) => ({
  inner: fc.record(
    { words: orNull(fc.array(word, { maxLength: 2 })), size: orNull(size), choice: fc.option(tie("inner"), { maxDepth: 2 }) },
    { requiredKeys: [] },
  ),
  value: fc.record(
    {
      // No empty text: theirs treats an empty text behind a pointer as unset only when the other side has one too,
      // which JSON cannot show.
      text: orNull(word),
      number: orNull(fc.constantFrom(0, 1)),
      flag: orNull(fc.boolean()),
      name: orNull(fc.constantFrom("", "x")),
      size: orNull(size),
      at: orNull(fc.constantFrom("2026-11-15T13:35:46Z", "2026-11-15T14:35:46+01:00", "2026-11-15T13:35:47Z")),
      exact: orNull(fc.constantFrom("2026-11-15T13:35:46.000001Z", "2026-11-15T14:35:46.000001+01:00", "2026-11-15T13:35:46.000002Z")),
      labels: orNull(fc.dictionary(word, fc.constantFrom("", "x"), { maxKeys: 2 })),
      limits: orNull(fc.dictionary(word, size, { maxKeys: 2 })),
      extra: orNull(fc.dictionary(word, orNull(fc.array(word, { maxLength: 1 })), { maxKeys: 2 })),
      words: orNull(fc.array(word, { maxLength: 2 })),
      inner: orNull(tie("inner")),
      choice: orNull(tie("inner")),
      byKey: orNull(fc.dictionary(word, orNull(tie("inner")), { maxKeys: 2 })),
      items: fc.option(fc.array(orNull(tie("value")), { maxLength: 2 }), { maxDepth: 1, depthSize: "small" }),
    },
    { requiredKeys: [] },
  ),
}));
/** Two values that are often equal: one, and the same with one field of another. */
const question = fc
  .tuple(value, value, fc.constantFrom(...Object.keys(properties), ""), fc.constantFrom(...Object.keys(properties), ""))
  .map(([a, other, field, dropped]) => {
    const b: Record<string, unknown> = { ...a, ...(field in other ? { [field]: (other as Record<string, unknown>)[field] } : {}) };
    delete b[dropped];
    return { a, b };
  });

function compare(questions: readonly { a: object; b: object }[], answers: readonly Answer[]): void {
  for (const [index, { a, b }] of questions.entries()) {
    expect(answers[index]?.error).toBeUndefined();
    expect({ equal: semanticEqual(a, b, sample), derivative: semanticDerivative(a, b, sample) }, JSON.stringify({ a, b })).toEqual(
      answers[index]?.output,
    );
  }
}

describe("semantic equality", () => {
  it("agrees with apimachinery where a schema tells what it looks at", () => {
    const questions = fc.sample(question, { numRuns: 100, seed: 5 });
    compare(questions, recordedAnswers("equality", questions));
  });

  it("agrees with apimachinery on any two values", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const questions = fc.sample(question, process.env["DROVER_LONG"] === "1" ? 20_000 : 2_000);
    compare(questions, askOracle("equality", questions));
  });
});
