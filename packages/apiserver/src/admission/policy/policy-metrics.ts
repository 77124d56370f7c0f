/** Metrics of admission policies, under kube-apiserver's names. */
import type { Metrics } from "@drover/machinery";

/** What a validation led to. */
export type EnforcementAction = "allow" | "deny" | "audit" | "warn";

/** A validation or mutation of one policy under one binding. */
export interface ObservedCheck {
  readonly policy: string;
  readonly binding: string;
  /** Undefined if it succeeded. */
  readonly problem: string | undefined;
  /** Of all expressions that were evaluated together. */
  readonly seconds: number;
}

const buckets: readonly number[] = [0.000_000_5, 0.001, 0.01, 0.1, 1];

export class PolicyMetrics {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** A validation that the object fails, or whose failure is ignored; kube-apiserver does not count those that it passes. */
  validated({ policy, binding, problem, seconds }: ObservedCheck, action: EnforcementAction): void {
    const labels = { policy, policy_binding: binding, error_type: errorType(problem), enforcement_action: action };
    const names = ["policy", "policy_binding", "error_type", "enforcement_action"] as const;
    this.#metrics
      .counter({
        name: "apiserver_validating_admission_policy_check_total",
        help: "Number of validations that failed, by policy, binding, kind of error and action.",
        labels: names,
      })
      .add(1, labels);
    this.#metrics
      .histogram({
        name: "apiserver_validating_admission_policy_check_duration_seconds",
        help: "Latency of validations that failed in seconds, by policy, binding, kind of error and action.",
        labels: names,
        buckets,
      })
      .observe(seconds, labels);
  }

  mutated({ policy, binding, problem, seconds }: ObservedCheck): void {
    const labels = { policy, policy_binding: binding, error_type: errorType(problem) };
    const names = ["policy", "policy_binding", "error_type"] as const;
    this.#metrics
      .counter({
        name: "apiserver_mutating_admission_policy_check_total",
        help: "Number of mutations, by policy, binding and kind of error.",
        labels: names,
      })
      .add(1, labels);
    this.#metrics
      .histogram({
        name: "apiserver_mutating_admission_policy_check_duration_seconds",
        help: "Latency of mutations in seconds, by policy, binding and kind of error.",
        labels: names,
        buckets,
      })
      .observe(seconds, labels);
  }
}

/** kube-apiserver reads the kind of an error from its text; a validation that is false is an invalid_error too. */
function errorType(problem: string | undefined): string {
  if (problem === undefined) return "no_error";
  if (problem.startsWith("compilation")) return "compile_error";
  return problem.startsWith("validation failed due to running out of cost budget") ? "out_of_budget" : "invalid_error";
}
