/**
 * Match conditions of webhooks and policies.
 *
 *     { name, expression }[], Environment → compileMatchConditions → matchConditions → MatchOutcome
 */
import { compileAdmissionExpression } from "../../cel/admission/admission-expression.ts";
import type { AdmissionExpression } from "../../cel/admission/admission-expression.ts";
import { boolType } from "../../cel/check/cel-type.ts";
import type { Environment } from "../../cel/check/environment.ts";
import { Activation, BudgetError, matchConditionsCostMax } from "./activation.ts";
import type { ComposedVariables, ExpressionOutcome } from "./activation.ts";
import type { Bindings } from "./admission-input.ts";
import type { EvaluationPace } from "./evaluation-pace.ts";

/** A compiled condition. */
export interface CompiledCondition {
  readonly name: string;
  readonly expression: AdmissionExpression;
}

/** Compiles conditions; those that do not compile fail when they are evaluated. */
export function compileMatchConditions(
  conditions: readonly { readonly name: string; readonly expression: string }[],
  environment: Environment,
): readonly CompiledCondition[] {
  return conditions.map(({ name, expression }) => ({ name, expression: compileAdmissionExpression(expression, environment, [boolType]) }));
}

/** Whether a webhook or a policy applies to a request; `failed` names the first condition that is false. */
export type MatchOutcome = { readonly matches: true } | { readonly matches: false; readonly failed?: string } | { readonly error: string };

export interface MatchOptions {
  /** What an error means: "Fail" reports it, "Ignore" means no match. */
  readonly failurePolicy: "Fail" | "Ignore";
  /** @default none */
  readonly composed?: ComposedVariables;
  /** @default no pauses */
  readonly pace?: EvaluationPace;
}

/** Evaluates all conditions. A false one decides, whatever the others are; otherwise an error does. */
export async function matchConditions(
  conditions: readonly CompiledCondition[],
  bindings: Bindings,
  { failurePolicy, composed = new Map(), pace }: MatchOptions,
): Promise<MatchOutcome> {
  if (conditions.length === 0) return { matches: true };
  const outcomes = await evaluateConditions(conditions, new Activation(bindings, composed, pace));
  if (typeof outcomes === "string") return failurePolicy === "Fail" ? { error: outcomes } : { matches: false };
  const index = outcomes.findIndex((outcome) => outcome !== undefined && "value" in outcome && outcome.value === false);
  const failed = conditions[index];
  if (failed !== undefined) return { matches: false, failed: failed.name };
  const errors = outcomes.flatMap((outcome) => (outcome !== undefined && "error" in outcome ? [outcome.error] : []));
  if (errors.length === 0) return { matches: true };
  return failurePolicy === "Fail" ? { error: joinErrors(errors) } : { matches: false };
}

/** Returns the outcomes, or the error of a spent budget. */
async function evaluateConditions(
  conditions: readonly CompiledCondition[],
  activation: Activation,
): Promise<readonly (ExpressionOutcome | undefined)[] | string> {
  try {
    const { outcomes } = await activation.evaluateAll(
      conditions.map(({ expression }) => expression),
      matchConditionsCostMax,
    );
    return outcomes;
  } catch (error) {
    if (error instanceof BudgetError) return error.message;
    throw error;
  }
}

/** Prints several errors as Go's aggregate does. */
function joinErrors(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] ?? "") : `[${unique.join(", ")}]`;
}
