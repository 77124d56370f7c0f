/** String formats, compared with the server's registry of formats. */
import { formatCheck } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers, type Answer } from "./oracle.ts";
import { formatSamples, mutated } from "./schema-format-cases.ts";
import { Choice } from "./schema-grammar.ts";

interface Question {
  readonly format: string;
  readonly text: string;
}

function expectSame({ format, text }: Question, answer: Answer | undefined): void {
  expect(formatCheck(format)?.(text), `${format} ${JSON.stringify(text)}`).toBe(answer?.output);
}

describe("a string format", () => {
  it("accepts what the server accepts", () => {
    const questions = Object.entries(formatSamples).flatMap(([format, texts]) => texts.map((text) => ({ format, text })));
    const answers = recordedAnswers("schema-format", questions);
    for (const [index, question] of questions.entries()) expectSame(question, answers[index]);
  });

  it("accepts what the server accepts, of texts with small mistakes", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const choice = new Choice(1);
    const questions = Array.from({ length: process.env["DROVER_LONG"] === "1" ? 300_000 : 10_000 }, () => {
      const format = choice.pick(Object.keys(formatSamples));
      return { format, text: mutated(choice, choice.pick(formatSamples[format] ?? [])) };
    });
    const answers = askOracle("schema-format", questions);
    for (const [index, question] of questions.entries()) expectSame(question, answers[index]);
  });
});
