/**
 * A compiled MutatingAdmissionPolicy, and how its mutations change an object.
 *
 *     MutatingAdmissionPolicy → compileMutatingPolicy → applyMutation → object
 */
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from "@drover/api/admissionregistration/v1";
import { newInternalError } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import { compileAdmissionExpression } from "../../cel/admission/admission-expression.ts";
import type { AdmissionExpression } from "../../cel/admission/admission-expression.ts";
import { applyConfigurationType, jsonPatchType } from "../../cel/admission/admission-types.ts";
import { listType } from "../../cel/check/cel-type.ts";
import type { CelValue } from "../../cel/value/value.ts";
import { DecodeError } from "../../codec/codec.ts";
import type { Codec } from "../../codec/codec.ts";
import type { Resource } from "../../registry/resource.ts";
import { StatusError } from "../../status-error.ts";
import { Activation, BudgetError, policyCostMax } from "../cel/activation.ts";
import { bindingsOf } from "../cel/admission-input.ts";
import type { AdmissionInput, InputExtras } from "../cel/admission-input.ts";
import type { EvaluationPace } from "../cel/evaluation-pace.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import { applyConstructedPatch } from "./json-patch.ts";
import { PatchFailure } from "./patch-failure.ts";
import { compileBindingParts, compileParts } from "./policy-parts.ts";
import type { BindingParts, PolicyParts } from "./policy-parts.ts";

/** A compiled mutation. */
export interface CompiledMutation {
  readonly form: "apply" | "json-patch";
  readonly expression: AdmissionExpression;
}

export interface CompiledMutatingPolicy extends PolicyParts {
  readonly mutations: readonly CompiledMutation[];
  /** Whether it runs again when the object has changed after it. */
  readonly isReinvoked: boolean;
}

/** Compiles a policy. Expressions that do not compile fail when they are evaluated. */
export function compileMutatingPolicy(object: DeepReadonly<JsonObject>): CompiledMutatingPolicy {
  const { metadata, spec = {} } = object as DeepReadonly<MutatingAdmissionPolicy>;
  const parts = compileParts(metadata.name ?? "", spec);
  const environment = parts.environment({ hasAuthorizer: true, hasPatchTypes: true });
  const mutations = (spec.mutations ?? []).map(({ patchType, jsonPatch, applyConfiguration: configuration }): CompiledMutation =>
    patchType === "JSONPatch"
      ? { form: "json-patch", expression: compileAdmissionExpression(jsonPatch?.expression ?? "", environment, [listType(jsonPatchType)]) }
      : { form: "apply", expression: compileAdmissionExpression(configuration?.expression ?? "", environment, [applyConfigurationType]) },
  );
  return { ...parts, mutations, isReinvoked: spec.reinvocationPolicy === "IfNeeded" };
}

export function compileMutatingBinding(object: DeepReadonly<JsonObject>): BindingParts {
  const { metadata, spec = {} } = object as DeepReadonly<MutatingAdmissionPolicyBinding>;
  return compileBindingParts(metadata.name ?? "", spec);
}

/** What is mutated. */
export interface MutationTarget {
  readonly input: AdmissionInput & { readonly object: JsonObject };
  readonly extras: InputExtras;
  readonly resource: Resource;
  /** Decodes the mutated object and sets defaults. */
  readonly codec: Codec;
  readonly pace: EvaluationPace;
}

/** Returns the mutated object, decoded as its kind. Throws a `PatchFailure`, or a `StatusError` for a result that does not decode. */
export async function applyMutation(
  { form, expression }: CompiledMutation,
  composed: PolicyParts["composed"],
  { input, extras, resource, codec, pace }: MutationTarget,
): Promise<JsonObject> {
  if ("problem" in expression) throw new PatchFailure(expression.problem);
  const value = await evaluate(expression, new Activation(bindingsOf(input, extras), composed, pace));
  if (form === "apply") {
    const merged = applyConfiguration(input.object, value, resource.mergeType);
    return decode(
      () => codec.decodeValue(merged).object,
      (message) => new PatchFailure(message),
    );
  }
  const patched = applyConstructedPatch(input.object, value);
  if (patched === undefined) return input.object;
  const refuse = (message: string): StatusError => new StatusError(newInternalError(message));
  const { object, problems } = decode(() => codec.decodeValue(patched), refuse);
  if (problems.length > 0 && !resource.isCustom) throw refuse(`strict decoding error: ${problems.join(", ")}`);
  return object;
}

async function evaluate(expression: AdmissionExpression, activation: Activation): Promise<CelValue> {
  try {
    const { outcome } = await activation.evaluate(expression, policyCostMax);
    if ("error" in outcome) throw new PatchFailure(outcome.error);
    return outcome.value;
  } catch (error) {
    if (error instanceof BudgetError) throw new PatchFailure(error.message);
    throw error;
  }
}

function decode<T>(run: () => T, refuse: (message: string) => Error): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error.message);
    throw error;
  }
}
