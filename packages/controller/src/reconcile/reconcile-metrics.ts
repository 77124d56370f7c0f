/** What a controller counts: controller-runtime's metrics under its names, and a few of our own. All are there from the start, at zero. */
import { reconcileTimeBuckets } from "@drover/machinery";
import type { BoundCounter, BoundGauge, BoundHistogram, Metrics } from "@drover/machinery";

/**
 * - `success`: done.
 * - `requeue_after`: to be looked at again after some time.
 * - `requeue`: to be tried again though nobody is to blame: a conflict.
 * - `error`: everything else.
 */
export type ReconcileResult = "success" | "error" | "requeue" | "requeue_after";

export interface ReconcileMetrics {
  readonly results: Readonly<Record<ReconcileResult, BoundCounter>>;
  /** Failed runs; those that are not tried again and those whose deadline passed included, conflicts not. */
  readonly errors: BoundCounter;
  readonly terminal: BoundCounter;
  /**
   * A throw is an ordinary failure here. What counts is a defect of the program: an assertion that does not hold, a
   * result that is none.
   */
  readonly panics: BoundCounter;
  /** Only the controller's own deadline, once for each run. */
  readonly timeouts: BoundCounter;
  readonly seconds: BoundHistogram;
  readonly workers: BoundGauge;
  readonly active: BoundGauge;
  readonly conflicts: BoundCounter;
  readonly cacheWaits: BoundCounter;
  readonly blocked: BoundCounter;
  readonly slowed: BoundCounter;
  readonly leaks: BoundCounter;
}

/** The metrics of one controller. */
export function reconcileMetrics(metrics: Metrics, controller: string): ReconcileMetrics {
  const labels = ["controller"];
  const own = { controller };
  const counter = (name: string, help: string): BoundCounter => metrics.counter({ name, help, labels }).with(own);
  const gauge = (name: string, help: string): BoundGauge => metrics.gauge({ name, help, labels }).with(own);
  const total = metrics.counter({
    name: "controller_runtime_reconcile_total",
    help: "Reconciles of each controller, by what came of them.",
    labels: ["controller", "result"],
  });
  const result = (name: ReconcileResult): BoundCounter => total.with({ controller, result: name });
  return {
    results: { success: result("success"), error: result("error"), requeue: result("requeue"), requeue_after: result("requeue_after") },
    errors: counter("controller_runtime_reconcile_errors_total", "Reconciles that failed."),
    terminal: counter(
      "controller_runtime_terminal_reconcile_errors_total",
      "Reconciles that failed and are not tried again by themselves.",
    ),
    panics: counter(
      "controller_runtime_reconcile_panics_total",
      "Reconciles that ended with a defect of the program: an assertion, or a result that is none.",
    ),
    timeouts: counter("controller_runtime_reconcile_timeouts_total", "Reconciles that were given up at their deadline."),
    seconds: metrics
      .histogram({
        name: "controller_runtime_reconcile_time_seconds",
        help: "How long reconciles take.",
        labels,
        buckets: reconcileTimeBuckets,
      })
      .with(own),
    workers: gauge("controller_runtime_max_concurrent_reconciles", "How many keys may be reconciled at a time."),
    active: gauge("controller_runtime_active_workers", "How many keys are being reconciled."),
    conflicts: counter(
      "drover_reconcile_conflicts_total",
      "Reconciles that are tried again because somebody else changed an object first.",
    ),
    cacheWaits: counter(
      "drover_reconcile_cache_waits_total",
      "Reconciles that were put off until the caches show what earlier ones of the same key wrote.",
    ),
    blocked: counter(
      "drover_event_loop_blocked_total",
      "How often the event loop had no turn for too long while a reconcile was under way.",
    ),
    slowed: counter(
      "drover_reconcile_echoes_slowed_total",
      "How often a key was put off because its runs were caused by nothing but their own writes.",
    ),
    leaks: counter("drover_reconcile_handle_leaks_total", "Reconciles that were found to leave many timers or other handles open."),
  };
}
