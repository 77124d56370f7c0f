/** MutatingAdmissionPolicy: changes new and updated objects as CEL expressions of policies say. */
import { deepCopy, errorText, isJsonObject, jsonEqual, setOwn } from "@drover/machinery";
import type { Clock, JsonObject, Status } from "@drover/machinery";
import type { Authorizer } from "../../access/authorizer.ts";
import { StatusError } from "../../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { AccessChecks } from "../cel/access-checks.ts";
import { bindingsOf } from "../cel/admission-input.ts";
import type { AdmissionInput } from "../cel/admission-input.ts";
import { EvaluationPace } from "../cel/evaluation-pace.ts";
import { matchConditions } from "../cel/match-conditions.ts";
import { applyMutation } from "./mutating-policy.ts";
import type { CompiledMutatingPolicy } from "./mutating-policy.ts";
import { PatchFailure } from "./patch-failure.ts";
import { inVersionOf } from "./policy-dispatch.ts";
import type { PolicyDispatch, PolicyInvocation } from "./policy-dispatch.ts";
import { forbiddenWrite } from "./policy-error.ts";
import type { PolicyMetrics } from "./policy-metrics.ts";
import { isExemptFromPolicies } from "./policy-match.ts";
import type { BindingParts } from "./policy-parts.ts";
import type { PolicyHook, PolicySource } from "./policy-source.ts";
import { Reinvocation } from "./reinvocation.ts";

/** Cost units of a mutation beside its expression, for pauses: the object is copied and decoded. */
const mutationCost = 2000;

type Hook = PolicyHook<CompiledMutatingPolicy, BindingParts>;
type Invocation = PolicyInvocation<CompiledMutatingPolicy, BindingParts>;
type Runnable = Extract<Invocation, { readonly resource: unknown }>;

export interface MutatingPolicyServices {
  readonly source: PolicySource<CompiledMutatingPolicy, BindingParts>;
  readonly dispatch: PolicyDispatch;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly metrics: PolicyMetrics;
}

export function mutatingAdmissionPolicy(services: MutatingPolicyServices): AdmissionPlugin {
  const { source } = services;
  const reinvocations = new WeakMap<AdmissionRequest, Reinvocation>();
  const mutate = async (hooks: readonly Hook[], request: AdmissionRequest): Promise<void> => {
    if (hooks.length === 0 || isExemptFromPolicies(request.resource)) return;
    const invocations = await services.dispatch.invocations(hooks, request);
    if (invocations.length === 0) return;
    const reinvocation = reinvocations.get(request) ?? new Reinvocation();
    reinvocations.set(request, reinvocation);
    await new Mutation(services, request, reinvocation).run(invocations);
  };
  return {
    name: "MutatingAdmissionPolicy",
    mutate: (request) => {
      const hooks = source.current();
      if (hooks instanceof Promise) return hooks.then((loaded) => mutate(loaded, request));
      return hooks.length === 0 ? undefined : mutate(hooks, request);
    },
  };
}

/** An error of a policy with the failure policy Fail. */
interface PolicyProblem {
  readonly message: string;
  readonly reason: "Forbidden" | "Invalid";
}

/** One round of all policies. */
class Mutation {
  readonly #request: AdmissionRequest;
  readonly #services: MutatingPolicyServices;
  readonly #checks: AccessChecks;
  readonly #reinvocation: Reinvocation;
  readonly #pace: EvaluationPace;
  readonly #problems: PolicyProblem[] = [];
  /** Whether a mutation succeeded, even if it changed nothing. */
  #isPatched = false;

  constructor(services: MutatingPolicyServices, request: AdmissionRequest, reinvocation: Reinvocation) {
    this.#request = request;
    this.#services = services;
    this.#checks = new AccessChecks(services.authorizer);
    this.#reinvocation = reinvocation;
    this.#pace = new EvaluationPace(request.pause);
  }

  /** Throws a `StatusError` if a policy refuses the request. */
  async run(invocations: readonly Invocation[]): Promise<void> {
    const { object, round } = this.#request;
    for (const invocation of invocations) if ("problem" in invocation) this.#addProblem(invocation, invocation.problem, "Forbidden");
    const runnable = invocations.filter((each) => "resource" in each);
    if (runnable.length > 0) {
      if (round > 0 && object !== undefined && this.#reinvocation.isChanged(object)) this.#reinvocation.requireInvoked();
      const namespace = await this.#services.dispatch.namespaceOf(this.#request);
      for (const invocation of runnable) await this.#invoke(invocation, namespace);
      if (this.#isPatched) this.#reinvocation.requireInvoked();
      this.#request.wantsReinvocation ||= this.#isPatched;
      if (object !== undefined) this.#reinvocation.endRound(object);
    }
    if (this.#problems.length > 0) throw new StatusError(refusal(this.#request, this.#problems));
  }

  async #invoke(invocation: Runnable, namespace: JsonObject | undefined): Promise<void> {
    const { policy, params } = invocation;
    const bindings = bindingsOf(this.#input(invocation), { params, checks: this.#checks });
    const matched = await matchConditions(policy.conditions, bindings, {
      failurePolicy: policy.failurePolicy,
      composed: policy.composed,
      pace: this.#pace,
    });
    if ("error" in matched) return this.#addProblem(invocation, matched.error, "Invalid");
    if (!matched.matches) return;
    const key = keyOf(invocation);
    if (this.#request.round > 0 && !this.#reinvocation.isRequired(key)) return;
    const { object } = this.#request;
    const before = object === undefined ? undefined : deepCopy(object);
    await this.#mutate(invocation, namespace);
    if (before !== undefined && object !== undefined && !jsonEqual(before, object)) this.#reinvocation.requireInvoked();
    if (policy.isReinvoked) this.#reinvocation.addInvoked(key);
  }

  /** Applies the mutations in order. */
  async #mutate(invocation: Runnable, namespace: JsonObject | undefined): Promise<void> {
    const { policy, resource, params } = invocation;
    const { object, codec, resource: requested, subresource } = this.#request;
    if (object === undefined) return;
    for (const mutation of policy.mutations) {
      await this.#pace.spend(mutationCost);
      const input = this.#input(invocation);
      const { object: current } = input;
      if (current === undefined) continue;
      const changed = await this.#observed(invocation, async () => {
        const mutated = await applyMutation(mutation, policy.composed, {
          input: { ...input, object: current },
          extras: { params, namespace, checks: this.#checks },
          resource,
          codec: resource === requested ? codec : resource.codec,
          pace: this.#pace,
        });
        return inVersionOf(mutated, resource, requested, subresource) ?? object;
      });
      if (changed === undefined) continue;
      replaceContents(object, changed);
      this.#isPatched = true;
    }
  }

  /** Counts a mutation; undefined if it fails in a way that the failure policy decides about. */
  async #observed(invocation: Runnable, mutate: () => Promise<JsonObject>): Promise<JsonObject | undefined> {
    const { clock, metrics } = this.#services;
    const began = clock.monotonic();
    const count = (problem: string | undefined): void =>
      metrics.mutated({
        policy: invocation.policy.name,
        binding: invocation.binding.name,
        problem,
        seconds: (clock.monotonic() - began) / 1000,
      });
    try {
      const changed = await mutate();
      count(undefined);
      return changed;
    } catch (error) {
      count(errorText(error));
      if (!(error instanceof PatchFailure)) throw error;
      this.#addProblem(invocation, error.message, "Invalid");
      return undefined;
    }
  }

  #input({ resource }: Runnable): AdmissionInput {
    const { object, old, resource: requested, subresource } = this.#request;
    return {
      admission: this.#request,
      resource,
      object: inVersionOf(object, requested, resource, subresource),
      old: inVersionOf(old, requested, resource, subresource),
    };
  }

  #addProblem({ policy, binding }: Invocation, message: string, reason: PolicyProblem["reason"]): void {
    if (policy.failurePolicy === "Ignore") return;
    const by = binding === undefined ? `policy ${JSON.stringify(policy.name)}` : `policy '${policy.name}' with binding '${binding.name}'`;
    this.#problems.push({ message: `${by} denied request: ${message}`, reason });
  }
}

/** Identifies an invocation in both rounds. */
function keyOf({ policy, binding, params }: Runnable): string {
  const metadata = params?.["metadata"];
  const { namespace = "", name = "" } = isJsonObject(metadata) ? metadata : {};
  return JSON.stringify([policy.name, binding.name, namespace, name]);
}

/** Plug-ins change the object of a request in place. */
function replaceContents(object: JsonObject, changed: JsonObject): void {
  if (object === changed || jsonEqual(object, changed)) return;
  for (const name of Object.keys(object)) delete object[name];
  for (const [name, value] of Object.entries(changed)) setOwn(object, name, value);
}

/** The message and reason are those of the first problem; the code stays 403, as in kube-apiserver. */
function refusal(request: AdmissionRequest, problems: readonly PolicyProblem[]): Status {
  const status = forbiddenWrite(request, "");
  const { message = "", reason = "Forbidden" } = problems[0] ?? {};
  return { ...status, message, reason, details: { ...status.details, causes: problems.map((each) => ({ message: each.message })) } };
}
