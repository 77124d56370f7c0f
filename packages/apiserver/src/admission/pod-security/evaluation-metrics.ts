/** The metrics of PodSecurity, under the names of kube-apiserver. */
import type { BoundCounter, Counter, Metrics } from "@drover/machinery";
import type { AdmissionRequest } from "../admission.ts";
import type { LevelVersion } from "./pod-policy.ts";

export type EvaluationMode = "enforce" | "audit" | "warn";

/** The minor version of Kubernetes that this server is like; later ones are counted together. */
const ownMinor = 36;

/** Counts evaluations and errors. A pod in a namespace without a policy costs one addition. */
export class EvaluationMetrics {
  readonly #evaluations: Counter;
  readonly #errors: Counter;
  readonly #open: Readonly<Record<"create" | "update", BoundCounter>>;

  constructor(metrics: Metrics) {
    this.#evaluations = metrics.counter({
      name: "pod_security_evaluations_total",
      help: "Number of policy evaluations that occurred, not counting ignored or exempt requests.",
      labels: ["decision", "policy_level", "policy_version", "mode", "request_operation", "resource", "subresource"],
    });
    this.#errors = metrics.counter({
      name: "pod_security_errors_total",
      help: "Number of errors that prevent a normal evaluation.",
      labels: ["fatal", "request_operation", "resource", "subresource"],
    });
    const open = (operation: string): BoundCounter =>
      this.#evaluations.with({
        decision: "allow",
        policy_level: "privileged",
        policy_version: "latest",
        mode: "enforce",
        request_operation: operation,
        resource: "pod",
        subresource: "",
      });
    this.#open = { create: open("create"), update: open("update") };
  }

  /** Counts a pod in a namespace whose policy allows everything. */
  countOpen(request: AdmissionRequest): void {
    if (request.subresource === "") this.#open[request.operation === "CREATE" ? "create" : "update"].add();
    else this.countEvaluation(request, "allow", { level: "privileged", version: "latest" }, "enforce");
  }

  countEvaluation(request: AdmissionRequest, decision: "allow" | "deny", { level, version }: LevelVersion, mode: EvaluationMode): void {
    const shown = version === "latest" || level === "privileged" ? "latest" : version > ownMinor ? "future" : `v1.${version}`;
    this.#evaluations.add(1, { decision, policy_level: level, policy_version: shown, mode, ...labelsOf(request) });
  }

  countError(request: AdmissionRequest, { fatal }: { readonly fatal: boolean }): void {
    this.#errors.add(1, { fatal: String(fatal), ...labelsOf(request) });
  }
}

const labelsOf = ({ operation, resource: { kind }, subresource }: AdmissionRequest): Readonly<Record<string, string>> => ({
  request_operation: operation.toLowerCase(),
  resource: kind.plural === "pods" ? "pod" : "controller",
  subresource,
});
