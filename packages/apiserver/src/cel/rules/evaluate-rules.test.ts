import { describe, expect, it } from "vitest";
import { printFieldError } from "@drover/machinery";
import type { JsonObject, Schema, ValidationRule } from "@drover/machinery";
import { evaluateRules } from "./evaluate-rules.ts";
import { ruleTree } from "./rule-tree.ts";

function judge(
  properties: Readonly<Record<string, Schema>>,
  object: JsonObject,
  old?: JsonObject,
): { readonly errors: string[]; readonly warnings: string[] } {
  const tree = ruleTree({ type: "object", properties });
  if (tree === undefined) throw new Error("no rules");
  const { errors, warnings } = evaluateRules(tree, object, old);
  return { errors: errors.map(printFieldError), warnings };
}

const ruled = (schema: Schema, ...rules: readonly ValidationRule[]): Schema => ({ ...schema, "x-kubernetes-validations": rules });

describe("evaluateRules", () => {
  it("reports a failed rule with its text, message or messageExpression", () => {
    const a = ruled(
      { type: "integer" },
      { rule: "self > 0" },
      { rule: "self > 0", message: "positive!" },
      { rule: "self > 0", messageExpression: "'got ' + string(self)" },
      { rule: "1 / self > 5" },
    );
    expect(judge({ a }, { a: 0 }).errors).toEqual([
      "a: Invalid value: 0: failed rule: self > 0",
      "a: Invalid value: 0: positive!",
      "a: Invalid value: 0: got 0",
      'a: Invalid value: "integer": division by zero evaluating rule: 1 / self > 5',
    ]);
  });

  it("evaluates transition rules only with an old value", () => {
    const a = ruled({ type: "string" }, { rule: "self == oldSelf", message: "fixed" });
    expect([judge({ a }, { a: "x" }).errors, judge({ a }, { a: "x" }, {}).errors, judge({ a }, { a: "x" }, { a: "y" }).errors]).toEqual([
      [],
      [],
      ['a: Invalid value: "x": fixed'],
    ]);
  });

  it("warns about unchanged values instead, and stops when the cost budget is spent", () => {
    const a = ruled({ type: "string" }, { rule: "self == 'ok'" });
    expect(judge({ a, b: { type: "string" } }, { a: "bad", b: "2" }, { a: "bad", b: "1" })).toEqual({
      errors: [],
      warnings: ["a: Invalid value: \"bad\": failed rule: self == 'ok'"],
    });
    const l = ruled(
      { type: "array", items: { type: "integer" } },
      { rule: "self.all(x, self.all(y, x > -1 || y > -1))" },
      { rule: "false" },
    );
    expect(judge({ l }, { l: Array.from({ length: 1000 }, (_none, index) => index) }).errors).toEqual([
      "l: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, self.all(y, x > -1 || y > -1))",
    ]);
  });
});
