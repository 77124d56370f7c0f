/** Label selectors, compared with Kubernetes' own parser and matcher. */
import {
  formatLabelSelector,
  labelSelectorFromSelector,
  newRequirement,
  nothing,
  parseSelector,
  parseToLabelSelector,
  printFieldError,
  printRequirement,
  SelectorError,
  selectorFromLabelSelector,
  validateLabelSelector,
} from "@drover/machinery";
import type { LabelSelector, RequirementOperator, Selector } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

type Labels = Record<string, string>;
interface SelectorQuestion {
  readonly text: string;
  readonly labels: readonly Labels[];
  readonly key: string;
}
interface ObjectQuestion {
  readonly selector: LabelSelector | null;
  readonly labels: readonly Labels[];
}
interface RequirementQuestion {
  readonly key: string;
  readonly operator: string;
  readonly values: string[] | null;
  readonly path: string;
}

const sets: readonly Labels[] = [
  {},
  { x: "a" },
  { x: "" },
  { x: "a", y: "b" },
  { y: "b", z: "7" },
  { x: "12" },
  { x: "-3" },
  { x: "9223372036854775807" },
  JSON.parse('{"__proto__":"a","constructor":"b"}') as Labels,
];

const texts: readonly string[] = [
  "",
  " ",
  "x=a",
  "x=a,y=b,z=c",
  "x!=a,y=b",
  "x=",
  "x= ",
  "x=,z=",
  "x= ,z= ",
  "!x",
  "! x",
  "x>1",
  "x>1,z<5",
  "x > 12",
  "x<-1",
  "x>a",
  "x<a",
  "x>1,z<x",
  "x=a||y=b",
  "x==a==b",
  "!x=a",
  "x==a",
  "x===a",
  "x=!a",
  "x,",
  ",x",
  "x,,y",
  ",",
  "!",
  "!!x",
  "!,x",
  "x y",
  "x=a y=b",
  "x=a b",
  "=",
  "=a",
  "==",
  "!=a",
  "(x)",
  "x()",
  "x in",
  "x in (",
  "x in (a",
  "x in (a,",
  "x in (a b)",
  "x in ()",
  "x in (,)",
  "x in (a,,)",
  "x in (,a)",
  "x in (a,b),y,!z",
  "x notin (a,b)",
  "x notin ()",
  "x in (a,a,b)",
  "x in (c,b,a)",
  "x in a",
  "x in (=)",
  "x in (!a)",
  "x in (in,notin)",
  "in in (in)",
  "notin notin (notin)",
  "notin=in",
  "in",
  "in,notin",
  "!in",
  "!notin",
  "x=in",
  "x = notin",
  "in=notin,notin!=in",
  "inn in (a)",
  "x  in\t(a ,\r\n b )",
  "x\n=\ra",
  "x\u00a0=a",
  "x\v=a",
  "\u0000",
  "x\u0000",
  "x\u0000y",
  "x\u0000,y",
  "x=\u0000a",
  "x=a\u0000b",
  "x in (a\u0000,b)",
  "x\u0000=a",
  " \u0000x",
  "x,\u0000y",
  "x=\u0000\u0000a",
  "a/b=c",
  "a.b/c-d_e=f",
  "a/b/c",
  "/a",
  "a/",
  "A/b",
  "-a",
  "a-",
  "a_b=c_d",
  "a=b/c",
  "a=-b",
  "a=b-",
  "é=a",
  "a=é",
  'x="a"',
  "x='a'",
  "x=<a",
  "x=<",
  "x><a",
  "x<>a",
  "x in (<)",
  "constructor",
  "__proto__",
  "__proto__=a",
  "constructor!=b",
  "toString",
  "x>9223372036854775806",
  "x>9223372036854775808",
  "x<-9223372036854775808",
  "x>+5",
  "x>007",
  "x>1_000",
  "x>",
  `${"k".repeat(63)}=${"v".repeat(63)}`,
  `${"k".repeat(64)}=a`,
  `a=${"v".repeat(64)}`,
  `${"p".repeat(253)}/k`,
  `${"p".repeat(254)}/k`,
  "b=1,a=2,c,a=1,!a,a!=3",
  "x in (a),x notin (a)",
];

const attempt = <T>(work: () => T): { output: T } | { error: string } => {
  try {
    return { output: work() };
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message };
    throw error;
  }
};

const describeSelector = (selector: Selector, labels: readonly Labels[], key: string): unknown => ({
  text: selector.toString(),
  requirements: selector.requirements,
  everything: selector.isEverything,
  nothing: selector === nothing,
  matches: labels.map((set) => selector.matches(set)),
  exact: selector.requiresExactMatch(key) ?? null,
});

const ask = ({ text, labels, key }: SelectorQuestion): Answer => attempt(() => describeSelector(parseSelector(text), labels, key));
const askObject = ({ selector, labels }: ObjectQuestion): Answer => {
  const converted = attempt(() => describeSelector(selectorFromLabelSelector(selector), labels, ""));
  return {
    output: {
      format: formatLabelSelector(selector),
      errors: validateLabelSelector(selector ?? undefined, "spec.selector").map(printFieldError),
      ...("error" in converted ? { error: converted.error } : { selector: converted.output }),
    },
  };
};
const askRequirement = ({ key, operator, values, path }: RequirementQuestion): Answer =>
  attempt(() => printRequirement(newRequirement(key, operator as RequirementOperator, values ?? undefined, { path })));

const label = fc.stringMatching(/^[a-c]([-a-c._1]{0,3}[a-c1])?$/);
const key = fc.oneof(
  label,
  fc.tuple(fc.constantFrom("example.com", "x.io", "in"), label).map(([prefix, name]) => `${prefix}/${name}`),
  fc.constantFrom("in", "notin", "__proto__", "constructor"),
);
const value = fc.oneof(label, fc.constantFrom("", "in", "notin", "1", "2", "10", "9007199254740993", "9223372036854775807"));
const blank = fc.constantFrom("", "", " ", "\t ", "\r\n");
const valueSet = fc.array(value, { maxLength: 4 }).map((values) => `(${values.join(",")})`);
const requirementText = fc.oneof(
  fc.tuple(key, blank, fc.constantFrom("=", "==", "!="), blank, value).map((parts) => parts.join("")),
  fc.tuple(key, blank, fc.constantFrom("<", ">"), blank, fc.integer({ min: -20, max: 20 }).map(String)).map((parts) => parts.join("")),
  fc.tuple(key, fc.constantFrom(" ", "\t"), fc.constantFrom("in", "notin"), blank, valueSet).map((parts) => parts.join("")),
  key,
  key.map((name) => `!${name}`),
);
const wellFormed = fc.array(requirementText, { maxLength: 5 }).map((parts) => parts.join(","));
const garbled = fc
  .array(
    fc.oneof(key, value, fc.constantFrom("=", "==", "!=", "!", "(", ")", ",", ">", "<", " ", "in", "notin", " in ", "é", "/", "\u0000")),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(""));
const labels = fc.array(fc.tuple(key, value), { maxLength: 6 }).map((entries): Labels => Object.fromEntries(entries));
const question: fc.Arbitrary<SelectorQuestion> = fc.record({
  text: fc.oneof(wellFormed, wellFormed, garbled),
  labels: fc.array(labels, { maxLength: 4 }),
  key,
});
const expression = fc.record(
  {
    key: fc.oneof(key, fc.constantFrom("", "a/b/c", "-x")),
    operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "in", "<odd>"),
    values: fc.array(fc.oneof(value, fc.constantFrom("-", "a b", "é")), { maxLength: 3 }),
  },
  { requiredKeys: ["key", "operator"] },
);
// At most one label: with several invalid ones the library reports the first one of a Go map.
const labelSelector = fc.record(
  {
    matchLabels: fc.dictionary(fc.oneof(key, fc.constant("-x")), value, { maxKeys: 1 }),
    matchExpressions: fc.array(expression, { maxLength: 3 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<LabelSelector>;

const count = process.env["DROVER_LONG"] === "1" ? 100_000 : 4000;
const sample = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, count);

function compare<Q>(subject: string, questions: readonly Q[], ours: (question: Q) => Answer, answers: readonly Answer[]): void {
  for (const [index, asked] of questions.entries()) expect(ours(asked), `${subject} ${JSON.stringify(asked)}`).toEqual(answers[index]);
}

describe("label selectors and Kubernetes' own", () => {
  it("agree on a table of texts: requirements, canonical text, matches and error messages", () => {
    const questions = texts.map((text): SelectorQuestion => ({ text, labels: sets, key: "x" }));
    compare("label-selector", questions, ask, recordedAnswers("label-selector", questions));
  });

  it("agree on requirements made by hand", () => {
    const questions = ["in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!", "<odd>"].flatMap((operator) =>
      [null, [], ["a"], ["1"], ["b", "a"], [""], ["-", "é"], ["x y"]].flatMap((values): RequirementQuestion[] => [
        { key: "x", operator, values, path: "" },
        { key: "-x/y z", operator, values, path: "" },
        { key: "x", operator, values, path: "spec" },
      ]),
    );
    compare("label-selector-requirement", questions, askRequirement, recordedAnswers("label-selector-requirement", questions));
  });

  it("agree on selectors of objects", () => {
    const questions: ObjectQuestion[] = [
      null,
      {},
      { matchLabels: {} },
      { matchLabels: { x: "a" } },
      { matchLabels: { x: "-" } },
      { matchExpressions: [] },
      { matchExpressions: [{ key: "x", operator: "In", values: ["b", "a"] }] },
      { matchExpressions: [{ key: "x", operator: "In" }] },
      { matchExpressions: [{ key: "x", operator: "In", values: [] }] },
      { matchExpressions: [{ key: "x", operator: "NotIn", values: ["a", "a"] }] },
      { matchExpressions: [{ key: "x", operator: "Exists" }] },
      { matchExpressions: [{ key: "x", operator: "Exists", values: ["a"] }] },
      { matchExpressions: [{ key: "x", operator: "DoesNotExist" }] },
      { matchLabels: { z: "7", y: "b" }, matchExpressions: [{ key: "a", operator: "DoesNotExist" }] },
      { matchExpressions: [{ key: "x", operator: "Equals" as "In", values: ["a"] }] },
      { matchExpressions: [{ key: "", operator: "" as "In" }] },
    ].map((selector) => ({ selector: selector as LabelSelector | null, labels: sets }));
    compare("label-selector-object", questions, askObject, recordedAnswers("label-selector-object", questions));
  });

  it("agree on selectors of objects read from text", () => {
    const questions = ["", "x=a", "x==a,y in (b,a),!z,w", "x!=a", "x>1", "x<1", "x=a,x=b", "x in ()", "-x"];
    const answers = recordedAnswers("label-selector-text", questions);
    compare("label-selector-text", questions, (text) => attempt(() => parseToLabelSelector(text)), answers);
    expect(labelSelectorFromSelector(nothing)).toBeUndefined();
  });

  it("agree on random texts and labels", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = sample(question);
    compare("label-selector", questions, ask, askOracle("label-selector", questions));
  });

  it("agree on random selectors of objects", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = sample(fc.record({ selector: labelSelector, labels: fc.array(labels, { maxLength: 3 }) }));
    compare("label-selector-object", questions, askObject, askOracle("label-selector-object", questions));
  });
});
