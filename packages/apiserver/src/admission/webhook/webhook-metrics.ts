/** Metrics of admission webhooks, under kube-apiserver's names. */
import type { Metrics } from "@drover/machinery";

/** Why a request was refused. */
export type RejectionType = "calling_webhook_error" | "apiserver_internal_error" | "no_error";

/** One call. */
export interface ObservedCall {
  readonly name: string;
  readonly type: "admit" | "validating";
  readonly operation: string;
  readonly seconds: number;
  /** HTTP status code; 0 for an error of the server itself. */
  readonly code: number;
  /** Undefined if the request was not refused. */
  readonly rejection: RejectionType | undefined;
}

export class WebhookMetrics {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  called({ name, type, operation, seconds, code, rejection }: ObservedCall): void {
    const labels = { name, type, operation, rejected: String(rejection !== undefined) };
    const shown = String(Math.min(code, 600));
    this.#metrics
      .counter({
        name: "apiserver_admission_webhook_request_total",
        help: "Number of calls of admission webhooks, by webhook, type, operation, response code and whether the request was rejected.",
        labels: ["name", "type", "operation", "code", "rejected"],
      })
      .add(1, { ...labels, code: shown });
    this.#metrics
      .histogram({
        name: "apiserver_admission_webhook_admission_duration_seconds",
        help: "Latency of admission webhooks in seconds, by webhook, type, operation and whether the request was rejected.",
        labels: ["name", "type", "operation", "rejected"],
        buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
      })
      .observe(seconds, labels);
    if (rejection === undefined) return;
    this.#metrics
      .counter({
        name: "apiserver_admission_webhook_rejection_count",
        help: "Number of requests rejected because of an admission webhook, by webhook, type, operation, kind of error and response code.",
        labels: ["name", "type", "operation", "error_type", "rejection_code"],
      })
      .add(1, { name, type, operation, error_type: rejection, rejection_code: shown });
  }

  failedOpen(name: string, type: ObservedCall["type"]): void {
    this.#metrics
      .counter({
        name: "apiserver_admission_webhook_fail_open_count",
        help: "Number of failed calls of admission webhooks that were ignored, by webhook and type.",
        labels: ["name", "type"],
      })
      .add(1, { name, type });
  }

  excluded(name: string, type: ObservedCall["type"], operation: string): void {
    this.#metrics
      .counter({
        name: "apiserver_admission_match_condition_exclusions_total",
        help: "Number of requests that a webhook or policy did not see because of a match condition.",
        labels: ["name", "kind", "type", "operation"],
      })
      // kube-apiserver says "validate" here and "validating" elsewhere.
      .add(1, { name, kind: "webhook", type: type === "admit" ? "admit" : "validate", operation });
  }
}
