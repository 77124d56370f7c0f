/**
 * A compiled ValidatingAdmissionPolicy, and what it says about a request.
 *
 *     ValidatingAdmissionPolicy → compileValidatingPolicy → evaluateValidatingPolicy → PolicyVerdict
 */
import type { Validation, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@drover/api/admissionregistration/v1";
import { byteLength } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import { compileAdmissionExpression } from "../../cel/admission/admission-expression.ts";
import type { AdmissionExpression } from "../../cel/admission/admission-expression.ts";
import { boolType, nullType, stringType } from "../../cel/check/cel-type.ts";
import { typeName } from "../../cel/value/value.ts";
import { Activation, BudgetError, policyCostMax } from "../cel/activation.ts";
import type { ExpressionOutcome } from "../cel/activation.ts";
import type { AccessChecks } from "../cel/access-checks.ts";
import { bindingsOf } from "../cel/admission-input.ts";
import type { AdmissionInput } from "../cel/admission-input.ts";
import type { EvaluationPace } from "../cel/evaluation-pace.ts";
import { matchConditions } from "../cel/match-conditions.ts";
import { compileBindingParts, compileParts } from "./policy-parts.ts";
import type { BindingParts, PolicyParts } from "./policy-parts.ts";
import type { Params } from "./policy-params.ts";

/** Bytes of the longest message of a `messageExpression`. */
const messageBytesMax = 5 * 1024;

export interface CompiledValidatingPolicy extends PolicyParts {
  readonly validations: readonly DeepReadonly<Validation>[];
  readonly expressions: readonly AdmissionExpression[];
  readonly messages: readonly (AdmissionExpression | undefined)[];
  readonly annotations: readonly { readonly key: string; readonly expression: AdmissionExpression }[];
}

export interface CompiledValidatingBinding extends BindingParts {
  readonly policyName: string;
  readonly actions: readonly string[];
}

/** Compiles a policy. Expressions that do not compile fail when they are evaluated. */
export function compileValidatingPolicy(object: DeepReadonly<JsonObject>): CompiledValidatingPolicy {
  const { metadata, spec = {} } = object as DeepReadonly<ValidatingAdmissionPolicy>;
  const { validations = [], auditAnnotations = [] } = spec;
  const parts = compileParts(metadata.name ?? "", spec);
  const environment = parts.environment({ hasAuthorizer: true });
  const messageEnvironment = parts.environment({ hasAuthorizer: false });
  return {
    ...parts,
    validations,
    expressions: validations.map(({ expression }) => compileAdmissionExpression(expression, environment, [boolType])),
    messages: validations.map(({ messageExpression = "" }) =>
      messageExpression === "" ? undefined : compileAdmissionExpression(messageExpression, messageEnvironment, [stringType]),
    ),
    annotations: auditAnnotations.map(({ key, valueExpression }) => ({
      key,
      expression: compileAdmissionExpression(valueExpression, environment, [stringType, nullType]),
    })),
  };
}

export function compileValidatingBinding(object: DeepReadonly<JsonObject>): CompiledValidatingBinding {
  const { metadata, spec } = object as DeepReadonly<ValidatingAdmissionPolicyBinding>;
  const parts = compileBindingParts(metadata.name ?? "", spec ?? {});
  return { ...parts, policyName: spec?.policyName ?? "", actions: spec?.validationActions ?? [] };
}

/** A validation that the request fails; the reason is a status reason, and "" stands for Invalid. */
export interface PolicyDenial {
  /** Index of the validation. */
  readonly index: number;
  readonly message: string;
  readonly reason: string;
}

/** An audit annotation, or the error of its expression. */
export type AnnotationOutcome = { readonly key: string; readonly value: string } | { readonly error: string };

export interface PolicyVerdict {
  readonly denials: readonly PolicyDenial[];
  /** Errors that the failure policy ignores. */
  readonly ignored: readonly string[];
  readonly annotations: readonly AnnotationOutcome[];
}

/** What an evaluation sees besides the request. */
export interface EvaluationContext {
  readonly params: Params;
  readonly namespace: JsonObject | undefined;
  readonly checks: AccessChecks;
  readonly pace: EvaluationPace;
}

/** Evaluates a policy for one parameter object. */
export async function evaluateValidatingPolicy(
  policy: CompiledValidatingPolicy,
  input: AdmissionInput,
  { params, namespace, checks, pace }: EvaluationContext,
): Promise<PolicyVerdict> {
  const { failurePolicy, conditions, composed } = policy;
  const failed = (message: string): PolicyVerdict =>
    failurePolicy === "Ignore"
      ? { denials: [], ignored: [message], annotations: [] }
      : { denials: [{ index: 0, message, reason: "" }], ignored: [], annotations: [] };
  const matched = await matchConditions(conditions, bindingsOf(input, { params, checks }), { failurePolicy, composed, pace });
  if ("error" in matched) return failed(matched.error);
  if (!matched.matches) return { denials: [], ignored: [], annotations: [] };
  try {
    const activation = new Activation(bindingsOf(input, { params, namespace, checks }), composed, pace);
    const { outcomes, budget } = await activation.evaluateAll(policy.expressions, policyCostMax);
    const plain = bindingsOf(input, { params, namespace });
    const messages = await evaluateMessages(policy, new Activation(plain, composed, pace), budget);
    const found = outcomes.flatMap((outcome, index) => denialOf(policy, index, outcome, messages) ?? []);
    const annotations = await evaluateAnnotations(policy, new Activation(plain, composed, pace));
    return {
      denials: found.filter((each) => "index" in each),
      ignored: found.flatMap((each) => ("ignored" in each ? each.ignored : [])),
      annotations,
    };
  } catch (error) {
    if (error instanceof BudgetError) return failed(error.message);
    throw error;
  }
}

type Messages = readonly (ExpressionOutcome | undefined)[] | BudgetError;

/** All messages are evaluated, whatever the validations say: a spent budget is an error of every validation. */
async function evaluateMessages({ messages }: CompiledValidatingPolicy, activation: Activation, budget: number): Promise<Messages> {
  try {
    return (await activation.evaluateAll(messages, budget)).outcomes;
  } catch (error) {
    if (error instanceof BudgetError) return error;
    throw error;
  }
}

function denialOf(
  { validations, failurePolicy }: CompiledValidatingPolicy,
  index: number,
  outcome: ExpressionOutcome | undefined,
  messages: Messages,
): PolicyDenial | { readonly ignored: string } | undefined {
  if (outcome === undefined) return undefined;
  const problem =
    "error" in outcome ? outcome.error : messages instanceof BudgetError ? `failed messageExpression: ${messages.message}` : undefined;
  if (problem !== undefined) return failurePolicy === "Ignore" ? { ignored: problem } : { index, message: problem, reason: "" };
  if ("value" in outcome && outcome.value === true) return undefined;
  const { expression = "", message = "", reason = "Invalid" } = validations[index] ?? {};
  const composed = messages instanceof BudgetError ? undefined : usableMessage(messages[index]);
  return { index, message: composed ?? (message.trim() || `failed expression: ${expression.trim()}`), reason };
}

/** Returns a message that can be shown: one line, not empty, not too long. */
function usableMessage(outcome: ExpressionOutcome | undefined): string | undefined {
  if (outcome === undefined || !("value" in outcome) || typeof outcome.value !== "string") return undefined;
  const text = outcome.value.trim();
  return text === "" || text.includes("\n") || byteLength(text) > messageBytesMax ? undefined : text;
}

async function evaluateAnnotations(
  { annotations, failurePolicy }: CompiledValidatingPolicy,
  activation: Activation,
): Promise<readonly AnnotationOutcome[]> {
  const { outcomes } = await activation.evaluateAll(
    annotations.map(({ expression }) => expression),
    policyCostMax,
  );
  return annotations.flatMap(({ key, expression }, index): readonly AnnotationOutcome[] => {
    const outcome = outcomes[index];
    if (outcome === undefined) return [];
    if ("error" in outcome) return failurePolicy === "Ignore" ? [] : [{ error: outcome.error }];
    if (outcome.value === null) return [];
    if (typeof outcome.value === "string") return outcome.value.trim() === "" ? [] : [{ key, value: outcome.value.trim() }];
    return [
      {
        error: `valueExpression '${expression.text}' resulted in unsupported return type: ${typeName(outcome.value)}. Return type must be either string or null.`,
      },
    ];
  });
}
