/** Metrics of webhooks, under the names of controller-runtime. */
import type { BoundCounter, BoundGauge, BoundHistogram, Metrics } from "@drover/machinery";

/** Metrics of one path. */
export interface WebhookMetrics {
  readonly latency: BoundHistogram;
  readonly inFlight: BoundGauge;
  /** Counts a request by the HTTP status of its response. */
  answered(code: number): void;
  /** Counts handlers that threw, hung, or returned something unusable. */
  readonly panics: BoundCounter;
}

const buckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Returns the metrics of a path, at zero from the start. */
export function webhookMetrics(metrics: Metrics, path: string, type: "admission" | "conversion"): WebhookMetrics {
  const requests = metrics.counter({
    name: "controller_runtime_webhook_requests_total",
    help: "Total number of admission requests by HTTP status code.",
    labels: ["webhook", "code"],
  });
  const codes = new Map(["200", "500"].map((code) => [code, requests.with({ webhook: path, code })]));
  const counterOf = (code: string): BoundCounter => {
    const counter = codes.get(code) ?? requests.with({ webhook: path, code });
    codes.set(code, counter);
    return counter;
  };
  const latency = metrics.histogram({
    name: "controller_runtime_webhook_latency_seconds",
    help: "Histogram of the latency of processing admission requests",
    labels: ["webhook"],
    buckets,
  });
  const inFlight = metrics.gauge({
    name: "controller_runtime_webhook_requests_in_flight",
    help: "Current number of admission requests being served.",
    labels: ["webhook"],
  });
  const panics =
    type === "admission"
      ? metrics.counter({
          name: "controller_runtime_webhook_panics_total",
          help: "Total number of admission handlers that threw, hung, or returned something unusable.",
        })
      : metrics.counter({ name: "controller_runtime_conversion_webhook_panics_total", help: "Total number of conversions that failed." });
  return {
    latency: latency.with({ webhook: path }),
    inFlight: inFlight.with({ webhook: path }),
    answered: (code) => counterOf(String(code)).add(),
    panics: panics.with({}),
  };
}
