/**
 * Evaluates compiled expressions for one request, within kube-apiserver's cost limits.
 *
 *     Bindings, composed variables → Activation;   AdmissionExpression, budget → evaluate → ExpressionOutcome, rest of the budget
 */
import type { AdmissionExpression } from "../../cel/admission/admission-expression.ts";
import type { Evaluation, Program } from "../../cel/evaluate/program.ts";
import { TurnOverError, Turns } from "../../cel/evaluate/turns.ts";
import { failure, isFailure } from "../../cel/value/failure.ts";
import type { CelFailure } from "../../cel/value/failure.ts";
import type { CelMap, CelValue } from "../../cel/value/value.ts";
import { UndecidedError } from "./access-checks.ts";
import type { Bindings } from "./admission-input.ts";
import { EvaluationPace } from "./evaluation-pace.ts";

/** Cost limit of one expression. */
const expressionCostMax = 1_000_000;
/** Cost limit of all expressions of a policy, for one binding and one parameter object. */
export const policyCostMax = 10_000_000;
/** Cost limit of all match conditions of a webhook or a policy. */
export const matchConditionsCostMax = 2_500_000;

/** A value, or why there is none. */
export type ExpressionOutcome = { readonly value: CelValue } | { readonly error: string };

/** Thrown when the budget is spent: no further expression is evaluated. */
export class BudgetError extends Error {
  override readonly name: string = "BudgetError";

  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

/** Composed variables by name, in the order of their declaration. */
export type ComposedVariables = ReadonlyMap<string, AdmissionExpression>;

/** Guarantees: each composed variable is evaluated at most once, when an expression first uses it. */
export class Activation {
  readonly #values: ReadonlyMap<string, CelValue | CelFailure>;
  readonly #composed: ComposedVariables;
  readonly #known = new Map<string, CelValue | CelFailure>();
  readonly #pace: EvaluationPace;
  /** Of variables whose evaluation has begun. */
  readonly #turns = new Map<string, Turns>();
  /** Cost of variables since the last expression. */
  #variablesCost = 0;

  /** `pace` decides when others get their turn. @default no pauses */
  constructor(bindings: Bindings, composed: ComposedVariables, pace: EvaluationPace = new EvaluationPace(undefined)) {
    this.#pace = pace;
    this.#values = new Map<string, CelValue | CelFailure>([...bindings, ["variables", this.#variables(composed)]]);
    this.#composed = composed;
  }

  /** Evaluates expressions in order; places without an expression stay empty. Throws a `BudgetError`. */
  async evaluateAll(
    expressions: readonly (AdmissionExpression | undefined)[],
    budget: number,
  ): Promise<{ readonly outcomes: readonly (ExpressionOutcome | undefined)[]; readonly budget: number }> {
    const outcomes: (ExpressionOutcome | undefined)[] = [];
    let rest = budget;
    for (const expression of expressions) {
      const evaluated = expression === undefined ? undefined : await this.evaluate(expression, rest);
      rest = evaluated?.budget ?? rest;
      outcomes.push(evaluated?.outcome);
    }
    return { outcomes, budget: rest };
  }

  /** Evaluates an expression. Throws a `BudgetError`. */
  async evaluate(
    expression: AdmissionExpression,
    budget: number,
  ): Promise<{ readonly outcome: ExpressionOutcome; readonly budget: number }> {
    if ("problem" in expression) return { outcome: { error: `compilation error: ${expression.problem}` }, budget };
    const { outcome, cost } = await this.#run(expression.program);
    const whole = this.#variablesCost + cost;
    this.#variablesCost = 0;
    await this.#pace.spend(whole);
    const rest = budget - whole;
    if (rest < 0) throw new BudgetError();
    return isFailure(outcome)
      ? { outcome: { error: `expression '${expression.text}' resulted in error: ${outcome.message}` }, budget: rest }
      : { outcome: { value: outcome }, budget: rest };
  }

  /**
   * Runs a program; again after each decision of the authorizer that it waits for, of which the cost limit allows three, and after each
   * pause of a long evaluation.
   */
  async #run(program: Program): Promise<Evaluation> {
    let turns = new Turns();
    for (;;) {
      try {
        return program(this.#values, expressionCostMax, this.#pace.hasPauses ? turns : undefined);
      } catch (error) {
        if (error instanceof TurnOverError) await this.#pace.pause();
        else if (error instanceof UndecidedError) {
          await error.decision;
          turns = new Turns();
          this.#turns.clear();
        } else throw error;
      }
    }
  }

  #variables(composed: ComposedVariables): CelMap {
    return {
      kind: "map",
      fromSchema: false,
      size: composed.size,
      find: (name) => (typeof name === "string" ? this.#variable(name) : undefined),
      keys: () => [...composed.keys()],
      unknown: () => new Map(),
    };
  }

  #variable(name: string): CelValue | CelFailure | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const expression = this.#composed.get(name);
    if (expression === undefined) return undefined;
    const value = this.#compose(name, expression);
    this.#known.set(name, value);
    return value;
  }

  #compose(name: string, expression: AdmissionExpression): CelValue | CelFailure {
    if ("problem" in expression) return failure(`composited variable ${JSON.stringify(name)} fails to compile: ${expression.problem}`);
    const turns = this.#turns.get(name) ?? new Turns();
    this.#turns.set(name, turns);
    const { outcome, cost } = expression.program(this.#values, expressionCostMax, this.#pace.hasPauses ? turns : undefined);
    this.#variablesCost += cost;
    return isFailure(outcome) ? failure(`composited variable ${JSON.stringify(name)} fails to evaluate: ${outcome.message}`) : outcome;
  }
}
