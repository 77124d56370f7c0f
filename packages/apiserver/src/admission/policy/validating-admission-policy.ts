/** ValidatingAdmissionPolicy: refuses, warns about and annotates writes as CEL expressions of policies say. */
import { encodeJson } from "@drover/machinery";
import type { Clock, JsonObject, Status } from "@drover/machinery";
import { StatusError } from "../../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { AccessChecks } from "../cel/access-checks.ts";
import type { AdmissionInput } from "../cel/admission-input.ts";
import { EvaluationPace } from "../cel/evaluation-pace.ts";
import { checkParamAccess, policyGroup } from "./param-access.ts";
import type { ParamAccessServices } from "./param-access.ts";
import { inVersionOf } from "./policy-dispatch.ts";
import type { PolicyDispatch, PolicyInvocation } from "./policy-dispatch.ts";
import { forbiddenWrite } from "./policy-error.ts";
import type { EnforcementAction, PolicyMetrics } from "./policy-metrics.ts";
import { isExemptFromPolicies } from "./policy-match.ts";
import type { PolicyHook, PolicySource } from "./policy-source.ts";
import { evaluateValidatingPolicy } from "./validating-policy.ts";
import type { CompiledValidatingBinding, CompiledValidatingPolicy, PolicyDenial, PolicyVerdict } from "./validating-policy.ts";

/** Bytes of the longest value of an audit annotation; the rest is cut. */
const annotationBytesMax = 10 * 1024;

/** Cost units of an invocation beside its expressions, for pauses. */
const invocationCost = 100;

const codes: ReadonlyMap<string, number> = new Map([
  ["Forbidden", 403],
  ["Unauthorized", 401],
  ["RequestEntityTooLarge", 413],
]);

type Hook = PolicyHook<CompiledValidatingPolicy, CompiledValidatingBinding>;
type Invocation = PolicyInvocation<CompiledValidatingPolicy, CompiledValidatingBinding>;

export interface ValidatingPolicyServices extends ParamAccessServices {
  readonly source: PolicySource<CompiledValidatingPolicy, CompiledValidatingBinding>;
  readonly dispatch: PolicyDispatch;
  readonly clock: Clock;
  readonly metrics: PolicyMetrics;
}

export function validatingAdmissionPolicy(services: ValidatingPolicyServices): AdmissionPlugin {
  const { source } = services;
  return {
    name: "ValidatingAdmissionPolicy",
    validate: (request) => {
      if (request.resource.kind.group === policyGroup && isExemptFromPolicies(request.resource)) return checkParamAccess(request, services);
      const hooks = source.current();
      if (hooks instanceof Promise) return hooks.then((loaded) => validate(services, loaded, request));
      return hooks.length === 0 ? undefined : validate(services, hooks, request);
    },
  };
}

async function validate(services: ValidatingPolicyServices, hooks: readonly Hook[], request: AdmissionRequest): Promise<void> {
  if (hooks.length === 0 || isExemptFromPolicies(request.resource)) return;
  const { dispatch, authorizer, clock, metrics } = services;
  const invocations = await dispatch.invocations(hooks, request);
  if (invocations.length === 0) return;
  const checks = new AccessChecks(authorizer);
  const namespace = invocations.some((each) => "resource" in each) ? await dispatch.namespaceOf(request) : undefined;
  const review = new Review(request, metrics);
  const pace = new EvaluationPace(request.pause);
  for (const invocation of invocations) {
    if ("problem" in invocation) {
      review.addProblem(invocation);
      continue;
    }
    await pace.spend(invocationCost);
    const { policy, params } = invocation;
    const began = clock.monotonic();
    const verdict = await evaluateValidatingPolicy(policy, inputOf(request, invocation), { params, namespace, checks, pace });
    review.add(invocation, verdict, (clock.monotonic() - began) / 1000);
  }
  review.end();
}

function inputOf(request: AdmissionRequest, { resource }: Extract<Invocation, { readonly resource: unknown }>): AdmissionInput {
  const { object, old, resource: requested, subresource } = request;
  return {
    admission: request,
    resource,
    object: inVersionOf(object, requested, resource, subresource),
    old: inVersionOf(old, requested, resource, subresource),
  };
}

/** Collects what policies say, and acts on it. */
class Review {
  readonly #request: AdmissionRequest;
  readonly #metrics: PolicyMetrics;
  /** Distinct values by policy and key. */
  readonly #annotations = new Map<string, Set<string>>();
  #denial: { readonly reason: string; readonly message: string } | undefined;

  constructor(request: AdmissionRequest, metrics: PolicyMetrics) {
    this.#request = request;
    this.#metrics = metrics;
  }

  addProblem({ policy, binding, problem }: Extract<Invocation, { readonly problem: string }>): void {
    if (policy.failurePolicy === "Fail") this.#deny(policy, binding, { message: problem, reason: "" });
  }

  add(
    { policy, binding }: Extract<Invocation, { readonly resource: unknown }>,
    { denials, ignored, annotations }: PolicyVerdict,
    seconds: number,
  ): void {
    const count = (problem: string, action: EnforcementAction): void =>
      this.#metrics.validated({ policy: policy.name, binding: binding.name, problem, seconds }, action);
    for (const problem of ignored) count(problem, "allow");
    for (const denial of denials) this.#act(policy, binding, denial, (action) => count(denial.message, action));
    for (const annotation of annotations) {
      if ("error" in annotation) {
        count(annotation.error, "deny");
        this.#deny(policy, binding, { message: annotation.error, reason: "" });
      } else this.#annotate(`${policy.name}/${annotation.key}`, annotation.value);
    }
  }

  #act(
    policy: CompiledValidatingPolicy,
    binding: CompiledValidatingBinding,
    denial: PolicyDenial,
    count: (action: EnforcementAction) => void,
  ): void {
    for (const action of binding.actions) {
      if (action === "Deny") {
        this.#deny(policy, binding, denial);
        count("deny");
      } else if (action === "Warn") {
        const by = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
        this.#request.warn(`Validation failed for ${by}: ${denial.message}`);
        count("warn");
      } else {
        this.#request.annotate("validation.policy.admission.k8s.io/validation_failure", failureAnnotation(binding, denial));
        count("audit");
      }
    }
  }

  /** Only the first denial is shown. */
  #deny(
    policy: CompiledValidatingPolicy,
    binding: CompiledValidatingBinding | undefined,
    { message, reason }: Pick<PolicyDenial, "message" | "reason">,
  ): void {
    const by = binding === undefined ? "" : ` with binding '${binding.name}'`;
    this.#denial ??= { reason, message: `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}` };
  }

  #annotate(key: string, value: string): void {
    const values = this.#annotations.get(key) ?? new Set();
    this.#annotations.set(key, values.add(cutBytes(value)));
  }

  /** Writes the annotations. Throws the denial. */
  end(): void {
    for (const [key, values] of this.#annotations) this.#request.annotate(key, [...values].join(", "));
    if (this.#denial !== undefined) throw new StatusError(denialStatus(this.#request, this.#denial));
  }
}

function denialStatus(request: AdmissionRequest, { reason, message }: { readonly reason: string; readonly message: string }): Status {
  const status = forbiddenWrite(request, message);
  return {
    ...status,
    reason: reason === "" ? "Invalid" : reason,
    code: codes.get(reason) ?? 422,
    details: { ...status.details, causes: [...(status.details?.causes ?? []), { message }] },
  };
}

function failureAnnotation({ name, policyName, actions }: CompiledValidatingBinding, { message, index }: PolicyDenial): string {
  const failure: JsonObject = { message, policy: policyName, binding: name, expressionIndex: index, validationActions: [...actions] };
  return encodeJson([failure], { escapeHtml: true });
}

/** Cuts a long text after a whole character. */
function cutBytes(text: string): string {
  if (text.length * 3 <= annotationBytesMax) return text;
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= annotationBytesMax
    ? text
    : new TextDecoder().decode(bytes.subarray(0, annotationBytesMax)).replace(/\uFFFD+$/, "");
}
