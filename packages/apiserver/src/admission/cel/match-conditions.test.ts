import { describe, expect, it } from "vitest";
import { admissionEnvironment } from "../../cel/admission/admission-environment.ts";
import { fromJson } from "../../cel/value/json-value.ts";
import { compileMatchConditions, matchConditions } from "./match-conditions.ts";

const environment = admissionEnvironment({ hasParams: false, hasAuthorizer: false });
const match = (expressions: readonly string[], failurePolicy: "Fail" | "Ignore" = "Fail") =>
  matchConditions(
    compileMatchConditions(
      expressions.map((expression, index) => ({ name: `c${index}`, expression })),
      environment,
    ),
    new Map([["object", fromJson({ a: 1 })]]),
    { failurePolicy },
  );
const isOne = "object.a == 1";
const isTwo = "object.a == 2";
const broken = "object.b == 1";
const error = "expression 'object.b == 1' resulted in error: no such key: b";

describe("match conditions", () => {
  it("match if all are true", async () => {
    expect(await match([])).toEqual({ matches: true });
    expect(await match([isOne, isOne])).toEqual({ matches: true });
    expect(await match([isOne, isTwo])).toEqual({ matches: false, failed: "c1" });
  });

  it("do not match if one is false, even after errors", async () => {
    expect(await match([broken, isTwo])).toEqual({ matches: false, failed: "c1" });
  });

  it("report errors under Fail, and do not match under Ignore", async () => {
    expect(await match([isOne, broken])).toEqual({ error });
    expect(await match([broken, broken])).toEqual({ error });
    expect(await match([broken, "object.c == 1"])).toEqual({
      error: `[${error}, expression 'object.c == 1' resulted in error: no such key: c]`,
    });
    expect(await match([isOne, broken], "Ignore")).toEqual({ matches: false });
  });

  it("share a budget", async () => {
    const numbers = `[${Array.from({ length: 90 }, (_none, index) => index).join(",")}]`;
    const costly = `${numbers}.all(a, ${numbers}.all(b, [1, 2, 3, 4, 5, 6].all(c, a + b + c < 1000)))`;
    expect(await match([costly])).toEqual({ matches: true });
    expect(await match(Array.from({ length: 12 }, () => costly))).toEqual({
      error: "validation failed due to running out of cost budget, no further validation rules will be run",
    });
  });
});
