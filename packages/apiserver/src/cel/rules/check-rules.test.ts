import { describe, expect, it } from "vitest";
import { printFieldError } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import { checkRules } from "./check-rules.ts";

const texts = (x: Schema): string[] => checkRules({ type: "object", properties: { x } }, "s").map(printFieldError);

describe("checkRules", () => {
  it("reports rules that do not compile", () => {
    expect(texts({ type: "object", properties: {}, "x-kubernetes-validations": [{ rule: "self.a == 1" }] })).toEqual([
      's.properties[x].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.a == 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field \'a\'\n | self.a == 1\n | ....^',
    ]);
  });

  it("refuses oldSelf where values do not correlate", () => {
    expect(texts({ type: "array", items: { type: "integer", "x-kubernetes-validations": [{ rule: "self > oldSelf" }] } })).toEqual([
      's.properties[x].items.x-kubernetes-validations[0].rule: Invalid value: "self > oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within s.properties[x]',
    ]);
  });

  it("refuses rules that exceed the cost limit, alone or together (X29, S6)", () => {
    expect(
      texts({ type: "array", items: { type: "integer" }, "x-kubernetes-validations": [{ rule: "self.all(x, self.all(y, x == y))" }] }),
    ).toEqual([
      expect.stringContaining("estimated rule cost exceeds budget by factor of more than 100x"),
      expect.stringContaining("contributed to estimated rule cost total"),
      expect.stringContaining("s: Forbidden: x-kubernetes-validations estimated rule cost total"),
    ]);
  });
});
