/** Field selectors, compared with Kubernetes' own. */
import { parseFieldSelector, SelectorError } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

interface Question {
  readonly text: string;
  readonly fields: readonly Record<string, string>[];
  readonly field: string;
}

const fieldSets = [{}, { x: "a" }, { x: "", y: "b" }, { x: "a,b", y: "a=b" }, { "": "a" }, { x: "\\" }];
const texts = [
  "",
  ",",
  "x=a",
  "x==a",
  "x!=a",
  "x=a,y=b",
  "y=b,x=a",
  "x=,y!=",
  "x",
  "x in (a)",
  "x=a,b",
  "x==a==b",
  "x=a=b",
  "x=a\\,b",
  "x=a\\=b",
  "x=a\\\\",
  "x=a\\",
  "x=\\a",
  "x=a\\b",
  "x=\\😀",
  "x=a\\,b,y=c",
  "=",
  "==",
  "!=",
  "=a",
  "!=a",
  "x!==a",
  "x=!a",
  "x!a",
  "x!",
  "x\\=a",
  "x\\,y=a",
  "x=a,,y=b",
  ",x=a,",
  " x = a ",
  "x=é",
  "x=\ue000,x=😀",
  "a==z,a=b",
  "x===a",
  "x=a,x!=b,x=c",
  "metadata.name=web-0,status.phase!=Running",
  "constructor=a",
  "__proto__=",
];

const ask = ({ text, fields, field }: Question): Answer => {
  try {
    const selector = parseFieldSelector(text);
    const exact = selector.requiresExactMatch(field);
    return {
      output: {
        text: selector.toString(),
        terms: selector.terms,
        everything: selector.isEverything,
        matches: fields.map((set) => selector.matches(set)),
        ...(exact === undefined ? {} : { exact }),
      },
    };
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message };
    throw error;
  }
};

const piece = fc.constantFrom(
  "x",
  "y",
  "a",
  "b",
  "=",
  "==",
  "!=",
  ",",
  "\\",
  "\\,",
  "\\=",
  "\\\\",
  " ",
  "é",
  "😀",
  "\ue000",
  "metadata.name",
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 10 }).map((parts) => parts.join("")),
  fc
    .array(
      fc
        .tuple(fc.constantFrom("x", "y", "z"), fc.constantFrom("=", "==", "!="), fc.constantFrom("", "a", "a\\,b", "\\\\", "é"))
        .map((parts) => parts.join("")),
      { maxLength: 5 },
    )
    .map((parts) => parts.join(",")),
);
const question = fc.record({
  text,
  fields: fc.array(fc.dictionary(fc.constantFrom("x", "y", "z"), fc.constantFrom("", "a", "a,b", "\\", "é")), { maxLength: 3 }),
  field: fc.constantFrom("x", "y", "z"),
});

describe("field selectors and Kubernetes' own", () => {
  it("agree on a table of texts", () => {
    const questions = texts.map((asked): Question => ({ text: asked, fields: fieldSets, field: "x" }));
    const answers = recordedAnswers("field-selector", questions);
    for (const [index, asked] of questions.entries()) expect(ask(asked), asked.text).toEqual(answers[index]);
  });

  it("agree on random texts", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = fc.sample(question, process.env["DROVER_LONG"] === "1" ? 100_000 : 5000);
    const answers = askOracle("field-selector", questions);
    for (const [index, asked] of questions.entries()) expect(ask(asked), JSON.stringify(asked)).toEqual(answers[index]);
  });
});
