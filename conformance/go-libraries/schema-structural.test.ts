/** The rules for schemas of custom resources, compared with the server's validation of a CustomResourceDefinition. */
import { checkStructural, printFieldError, type UncheckedSchema } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers, type Answer } from "./oracle.ts";
import { Choice, randomDefinition } from "./schema-grammar.ts";
import { structuralQuestions } from "./schema-tables.ts";

interface Question {
  readonly schema: UncheckedSchema;
  readonly status?: boolean;
}

function expectSame({ schema, status = false }: Question, answer: Answer | undefined): void {
  const ours = checkStructural(schema, "spec.validation.openAPIV3Schema", { hasStatus: status }).map(printFieldError).toSorted();
  expect(ours, JSON.stringify(schema)).toEqual(((answer?.output ?? []) as { readonly text: string }[]).map(({ text }) => text).toSorted());
}

function randomQuestion(seed: number): Question {
  const choice = new Choice(seed);
  const schema = randomDefinition(choice);
  // With a status and a default at the root, the server prints that default as validation has changed it, with pruned
  // metadata. That is an accident of shared memory and not compared.
  return { schema, status: schema.default === undefined && choice.chance(0.2) };
}

describe("a schema for a custom resource", () => {
  it("has the server's errors", () => {
    const answers = recordedAnswers("schema-structural", structuralQuestions);
    for (const [index, question] of structuralQuestions.entries()) expectSame(question, answers[index]);
  });

  it("has the server's errors when it is random", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = Array.from({ length: process.env["DROVER_LONG"] === "1" ? 30_000 : 3000 }, (_, seed) => randomQuestion(seed + 1));
    const answers = askOracle("schema-structural", questions);
    for (const [index, question] of questions.entries()) expectSame(question, answers[index]);
  });
});
