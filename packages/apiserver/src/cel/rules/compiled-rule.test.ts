import { describe, expect, it } from "vitest";
import type { Schema } from "@drover/machinery";
import { schemaType } from "../schema/schema-type.ts";
import { compileRules } from "./compiled-rule.ts";

const compiled = (rest: Schema) => {
  const schema: Schema = {
    type: "object",
    properties: { a: { type: "integer" }, m: { type: "object", additionalProperties: { type: "string" } } },
    ...rest,
  };
  const type = schemaType(schema, false);
  if (type === undefined) throw new Error("no type");
  return compileRules(schema, type);
};

describe("compileRules", () => {
  it("detects transition rules and normalizes fieldPath", () => {
    const [first, second] = compiled({
      "x-kubernetes-validations": [
        { rule: "self.a > oldSelf.a", fieldPath: ".m['x.y']" },
        { rule: "self.a > 0", messageExpression: "self.b" },
      ],
    });
    expect(first).toMatchObject({ check: { usesOldSelf: true }, fieldPath: "m[x.y]" });
    expect(second).toMatchObject({
      check: { usesOldSelf: false },
      message: {
        problem: expect.stringContaining("messageExpression compilation failed: ERROR: <input>:1:5: undefined field 'b'") as string,
      },
    });
  });

  it("reports a rule that is not a boolean", () => {
    expect(compiled({ "x-kubernetes-validations": [{ rule: "self.a" }, { rule: " " }] }).map(({ check }) => check)).toEqual([
      { problem: "cel expression must evaluate to a bool" },
      undefined,
    ]);
  });
});
