/** CEL: every text compiles or has issues, runs within its cost limit, and has the same result again. */
import { decodeJson } from "@drover/machinery";
import type { JsonObject, Schema } from "@drover/machinery";
import { dynType } from "../../packages/apiserver/src/cel/check/cel-type.ts";
import { checkExpression } from "../../packages/apiserver/src/cel/check/checker.ts";
import { namedTypes } from "../../packages/apiserver/src/cel/check/environment.ts";
import { checkLiterals } from "../../packages/apiserver/src/cel/check/literal-rules.ts";
import { compileProgram } from "../../packages/apiserver/src/cel/evaluate/program.ts";
import type { Evaluation } from "../../packages/apiserver/src/cel/evaluate/program.ts";
import { library } from "../../packages/apiserver/src/cel/library/library.ts";
import { checkRules } from "../../packages/apiserver/src/cel/rules/check-rules.ts";
import { evaluateRules } from "../../packages/apiserver/src/cel/rules/evaluate-rules.ts";
import { ruleTree } from "../../packages/apiserver/src/cel/rules/rule-tree.ts";
import { schemaValue } from "../../packages/apiserver/src/cel/schema/schema-value.ts";
import { printIssues } from "../../packages/machinery/src/cel/issue.ts";
import { parseExpression } from "../../packages/machinery/src/cel/parser.ts";
import { equal, holds } from "../expect.ts";
import { textOf } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

const text = { type: "string", maxLength: 20 } as const;
const properties: Readonly<Record<string, Schema>> = {
  name: text,
  count: { type: "integer" },
  ratio: { type: "number" },
  on: { type: "boolean" },
  at: { type: "string", format: "date-time" },
  span: { type: "string", format: "duration" },
  port: { "x-kubernetes-int-or-string": true },
  tags: { type: "array", maxItems: 5, items: text },
  labels: { type: "object", maxProperties: 5, additionalProperties: text },
  parts: { type: "array", maxItems: 4, items: { type: "object", properties: { name: text, size: { type: "integer" } } } },
};
const schemaOf = (rule: string): Schema => ({
  type: "object",
  properties: {
    spec: { type: "object", properties, "x-kubernetes-validations": [{ rule, messageExpression: "'no ' + string(self.count)" }] },
  },
});
const spec = decodeJson(
  '{"name":"web","count":3,"ratio":0.5,"on":true,"at":"2024-02-29T12:00:00Z","span":"1h30m","port":"80%","tags":["a","b","c"],"labels":{"app":"web","__proto__":"x"},"parts":[{"name":"a","size":1},{"name":"b","size":-2}]}',
) as JsonObject;
const object: JsonObject = { apiVersion: "fuzz.example.com/v1", kind: "Thing", metadata: { name: "a" }, spec };
const older: JsonObject = { ...object, spec: { ...spec, count: 2, name: "old" } };
const self = schemaValue(spec, { type: "object", properties });

const limit = 1_000_000;

export const celTarget: FuzzTarget = {
  name: "cel",
  perSecond: 700,
  tokens: [
    [
      "self.",
      "oldSelf.",
      "self.tags",
      "self.parts",
      "self.labels",
      "self.name",
      "self.count",
      "self.ratio",
      "self.at",
      "self.span",
      "self.port",
    ],
    [
      ".all(x, ",
      ".exists(x, ",
      ".exists_one(x, ",
      ".map(x, ",
      ".filter(x, ",
      "has(self.",
      ".size()",
      "size(",
      ".matches('",
      ".startsWith('",
    ],
    [
      "==",
      "!=",
      "<=",
      "&&",
      "||",
      "?",
      ":",
      " in ",
      "!",
      "-",
      "+",
      "*",
      "/",
      "%",
      "1u",
      "0x1F",
      "1.5e3",
      "b'a'",
      "r'\\d'",
      "'''",
      "null",
      "true",
    ],
    [
      "duration('1h')",
      "timestamp('2024-01-01T00:00:00Z')",
      "dyn(",
      "type(",
      "int(",
      "string(",
      "double(",
      "bytes(",
      "bool(",
      "[1, 2]",
      "{'a': 1}",
    ],
    [
      "optional.of(",
      ".orValue(",
      ".?",
      "[?",
      ".split(','",
      ".join(",
      ".replace('a','b')",
      ".substring(1)",
      ".lowerAscii()",
      ".format([",
      "'%s'",
    ],
    [
      ".indexOf(",
      ".isSorted()",
      ".sum()",
      ".min()",
      ".find('",
      ".findAll('",
      "url('http://a/b')",
      ".getHost()",
      "isURL(",
      "ip('10.0.0.1')",
    ],
    [
      "cidr('10.0.0.0/8')",
      ".containsIP(",
      "quantity('1Gi')",
      ".isGreaterThan(",
      "format.named('",
      "semver('1.2.3')",
      "sets.contains(",
      "cel.bind(v, ",
    ],
    [".getSeconds()", ".getFullYear('", ".transformList(i, v, ", ".transformMap(k, v, ", "__namespace__", "math.greatest(", ".reverse()"],
  ].flat(),
  run(input) {
    const expression = textOf(input);
    dynamic(expression);
    const schema = schemaOf(expression);
    checkRules(schema, "spec");
    const tree = ruleTree(schema);
    if (tree === undefined) return;
    const outcome = evaluateRules(tree, object, older);
    equal(evaluateRules(tree, object, older), outcome, "rules give the same errors again");
  },
};

/** Without a schema: `self` has any type, so more mistakes are left to the evaluation. */
function dynamic(expression: string): void {
  const parsed = parseExpression(expression);
  if ("issues" in parsed) {
    holds(printIssues(expression, parsed.issues) !== "", "issues have a text");
    return;
  }
  const checked = checkExpression(parsed.expression, {
    variable: (name) => (name === "self" ? dynType : namedTypes.get(name)),
    overloads: (name) => library.get(name),
  });
  const issues = "issues" in checked ? checked.issues : checkLiterals(checked);
  if ("issues" in checked || issues.length > 0) {
    holds(printIssues(expression, issues) !== "", "issues have a text");
    return;
  }
  const run = (): Evaluation => compileProgram(checked)(new Map([["self", self]]), limit);
  const evaluation = run();
  holds(evaluation.exceeded || evaluation.cost <= limit, "stops at the cost limit", () => String(evaluation.cost));
  holds(run().cost === evaluation.cost, "costs the same again");
}
