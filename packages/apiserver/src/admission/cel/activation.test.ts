import { describe, expect, it } from "vitest";
import { admissionEnvironment, variableType } from "../../cel/admission/admission-environment.ts";
import { compileAdmissionExpression } from "../../cel/admission/admission-expression.ts";
import type { AdmissionExpression } from "../../cel/admission/admission-expression.ts";
import { dynType } from "../../cel/check/cel-type.ts";
import type { CelType } from "../../cel/check/cel-type.ts";
import { authorizerValue } from "../../cel/library/authorizers.ts";
import { fromJson } from "../../cel/value/json-value.ts";
import type { CelMap, CelValue } from "../../cel/value/value.ts";
import { AccessChecks } from "./access-checks.ts";
import { Activation, BudgetError } from "./activation.ts";
import { EvaluationPace } from "./evaluation-pace.ts";

/** Composes variables in order. */
function composed(variables: Readonly<Record<string, string>>) {
  const fields = new Map<string, CelType>();
  const environment = admissionEnvironment({ hasParams: false, hasAuthorizer: true, variables: fields });
  const made = new Map<string, AdmissionExpression>();
  for (const [name, text] of Object.entries(variables)) {
    const expression = compileAdmissionExpression(text, environment);
    fields.set(name, "type" in expression ? variableType(expression.type) : dynType);
    made.set(name, expression);
  }
  return { made, compile: (text: string) => compileAdmissionExpression(text, environment) };
}

const object = (value: CelValue): ReadonlyMap<string, CelValue> => new Map([["object", value]]);

describe("Activation", () => {
  it("evaluates variables when they are used, and once", async () => {
    const { made, compile } = composed({ a: "object.n + 1", b: "variables.a * 2", broken: "object.nope" });
    let reads = 0;
    const map = fromJson({ n: 1 }) as CelMap;
    const counted: CelMap = { ...map, find: (key) => (reads++, map.find(key)) };
    const bindings = object(counted);
    const activation = new Activation(bindings, made);
    const { outcome } = await activation.evaluate(compile("variables.a + variables.b + variables.b"), 1000);
    expect(outcome).toEqual({ value: 10n });
    expect(reads).toBe(1);
    expect((await activation.evaluate(compile("variables.broken"), 1000)).outcome).toEqual({
      error: "expression 'variables.broken' resulted in error: composited variable \"broken\" fails to evaluate: no such key: nope",
    });
  });

  it("charges the cost of variables to the expression that first uses them", async () => {
    const { made, compile } = composed({ a: "object.n + 1" });
    const activation = new Activation(object(fromJson({ n: 1 })), made);
    const first = 1000 - (await activation.evaluate(compile("variables.a"), 1000)).budget;
    const second = 1000 - (await activation.evaluate(compile("variables.a"), 1000)).budget;
    expect([first, second]).toEqual([5, 2]);
  });

  it("throws when the budget is spent", async () => {
    const { made, compile } = composed({ a: "object.n + 1" });
    const activation = new Activation(object(fromJson({ n: 1 })), made);
    await expect(activation.evaluate(compile("variables.a"), 4)).rejects.toThrow(BudgetError);
    await expect(new Activation(object(null), made).evaluateAll([compile("1 + 1"), compile("1 + 1")], 1)).rejects.toThrow(
      "validation failed due to running out of cost budget, no further validation rules will be run",
    );
  });

  it("reports expressions that do not compile", async () => {
    const { made, compile } = composed({ a: "nope" });
    const activation = new Activation(object(null), made);
    const errorOf = async (text: string): Promise<string> => {
      const { outcome } = await activation.evaluate(compile(text), 1000);
      return "error" in outcome ? outcome.error : "";
    };
    expect(await errorOf("1 +")).toMatch(/^compilation error: compilation failed: ERROR: /);
    expect(await errorOf("variables.a == 1")).toContain('composited variable "a" fails to compile: compilation failed: ERROR: ');
  });

  it("waits for decisions of the authorizer, and asks each once", async () => {
    const asked: string[] = [];
    const checks = new AccessChecks({
      authorize: async ({ path }) => {
        asked.push(path);
        return { decision: "allow" };
      },
    });
    const check = (path: string): string => `authorizer.path('${path}').check('get').allowed()`;
    const { made, compile } = composed({ a: check("/a") });
    const activation = new Activation(new Map([["authorizer", authorizerValue({ name: "ann", groups: [] }, checks.decide)]]), made);
    expect((await activation.evaluate(compile(`variables.a && ${check("/b")} && variables.a`), 1_000_000)).outcome).toEqual({
      value: true,
    });
    expect((await activation.evaluate(compile(check("/b")), 1_000_000)).outcome).toEqual({ value: true });
    expect(asked).toEqual(["/a", "/b"]);
  });
});

describe("a long evaluation", () => {
  const numbers = `[${Array.from({ length: 40 }, (_none, index) => index).join(",")}]`;
  const long = (name: string): string =>
    `${numbers}.all(${name}1, ${numbers}.all(${name}2, ${numbers}.all(${name}3, ${name}1 + ${name}2 < 100)))`;

  it("pauses, also within variables and loops that use them, and costs the same", async () => {
    const { made, compile } = composed({ a: long("v"), b: `${numbers}.map(x, variables.a ? x : 0).size()` });
    const expression = compile(`[1, 2, 3].all(y, variables.b + y > 0) && ${long("e")} && [1, 2].map(z, variables.b * z).size() == 2`);
    const atOnce = await new Activation(object(null), made).evaluate(expression, 10_000_000);
    let pauses = 0;
    const pace = new EvaluationPace(() => {
      pauses++;
      return Promise.resolve();
    });
    expect(await new Activation(object(null), made, pace).evaluate(expression, 10_000_000)).toEqual(atOnce);
    expect(atOnce.outcome).toEqual({ value: true });
    expect(pauses).toBeGreaterThan(5);
  });
});
