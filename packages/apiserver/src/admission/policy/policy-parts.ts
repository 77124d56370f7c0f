/** What validating and mutating policies have in common: constraints, parameters, match conditions and variables, compiled. */
import type { MatchCondition, MatchResources, ParamKind, ParamRef, Variable } from "@drover/api/admissionregistration/v1";
import { SelectorError } from "@drover/machinery";
import type { DeepReadonly, GroupVersionKind } from "@drover/machinery";
import { admissionEnvironment, variableType } from "../../cel/admission/admission-environment.ts";
import type { EnvironmentOptions } from "../../cel/admission/admission-environment.ts";
import { compileAdmissionExpression } from "../../cel/admission/admission-expression.ts";
import type { AdmissionExpression } from "../../cel/admission/admission-expression.ts";
import { dynType } from "../../cel/check/cel-type.ts";
import type { CelType } from "../../cel/check/cel-type.ts";
import type { Environment } from "../../cel/check/environment.ts";
import type { ComposedVariables } from "../cel/activation.ts";
import { compileMatchConditions } from "../cel/match-conditions.ts";
import type { CompiledCondition } from "../cel/match-conditions.ts";
import { compileMatch } from "./policy-match.ts";
import type { PolicyMatch } from "./policy-match.ts";
import { compileParamRef, parseParamKind } from "./policy-params.ts";
import type { CompiledParamRef } from "./policy-params.ts";

/** The common fields of a policy's spec. */
export interface PolicySpec {
  readonly failurePolicy?: string;
  readonly paramKind?: DeepReadonly<ParamKind>;
  readonly matchConstraints?: DeepReadonly<MatchResources>;
  readonly matchConditions?: readonly DeepReadonly<MatchCondition>[];
  readonly variables?: readonly DeepReadonly<Variable>[];
}

/** A compiled part, or why it cannot be used. Only objects that no validation has seen have problems. */
export type Usable<T> = { readonly part: T } | { readonly problem: string };

export interface PolicyParts {
  readonly name: string;
  readonly failurePolicy: "Fail" | "Ignore";
  readonly match: Usable<PolicyMatch>;
  readonly paramKind: GroupVersionKind | undefined;
  readonly conditions: readonly CompiledCondition[];
  readonly composed: ComposedVariables;
  /** Returns the environment of an expression. */
  readonly environment: (options: Pick<EnvironmentOptions, "hasAuthorizer" | "hasPatchTypes">) => Environment;
}

/** Compiles the common parts of a policy. */
export function compileParts(name: string, spec: PolicySpec): PolicyParts {
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  const fields = new Map<string, CelType>();
  const environment = (options: Pick<EnvironmentOptions, "hasAuthorizer" | "hasPatchTypes">): Environment =>
    admissionEnvironment({ ...options, hasParams: paramKind !== undefined, variables: fields });
  const composed = compileVariables(variables, environment({ hasAuthorizer: true }), fields);
  return {
    name,
    failurePolicy: failurePolicy === "Ignore" ? "Ignore" : "Fail",
    match:
      matchConstraints === undefined
        ? { problem: "policy contained no match constraints, a required field" }
        : usable(() => compileMatch(matchConstraints)),
    paramKind: paramKind === undefined ? undefined : parseParamKind(paramKind),
    conditions: compileMatchConditions(matchConditions, environment({ hasAuthorizer: true })),
    composed,
    environment,
  };
}

/** Compiles variables in order; each sees those before it. Adds their types to `fields`. */
export function compileVariables(
  variables: readonly DeepReadonly<Variable>[],
  environment: Environment,
  fields: Map<string, CelType>,
): ReadonlyMap<string, AdmissionExpression> {
  const composed = new Map<string, AdmissionExpression>();
  for (const { name, expression } of variables) {
    const compiled = compileAdmissionExpression(expression, environment);
    fields.set(name, "type" in compiled ? variableType(compiled.type) : dynType);
    composed.set(name, compiled);
  }
  return composed;
}

/** The common fields of a binding's spec. */
export interface BindingSpec {
  readonly paramRef?: DeepReadonly<ParamRef>;
  readonly matchResources?: DeepReadonly<MatchResources>;
}

export interface BindingParts {
  readonly name: string;
  /** Undefined if every request matches. */
  readonly match: Usable<PolicyMatch | undefined>;
  readonly paramRef: Usable<CompiledParamRef | undefined>;
}

/** Compiles the common parts of a binding. */
export function compileBindingParts(name: string, { paramRef, matchResources }: BindingSpec): BindingParts {
  return {
    name,
    match: usable(() => (matchResources === undefined ? undefined : compileMatch(matchResources))),
    paramRef: usable(() => (paramRef === undefined ? undefined : compileParamRef(paramRef))),
  };
}

function usable<T>(compile: () => T): Usable<T> {
  try {
    return { part: compile() };
  } catch (error) {
    if (error instanceof SelectorError) return { problem: error.message };
    throw error;
  }
}
