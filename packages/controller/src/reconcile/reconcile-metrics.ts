/** Metrics of a controller: those of controller-runtime under their names, and our own. All exist from the start, at zero. */
import { LoopWatchdog, reconcileTimeBuckets } from "@drover/machinery";
import type { BoundCounter, BoundGauge, BoundHistogram, Metrics } from "@drover/machinery";

/**
 * - `success`: done.
 * - `requeue_after`: runs again after a delay.
 * - `requeue`: retried after a conflict, which is not an error.
 * - `error`: everything else.
 */
export type ReconcileResult = "success" | "error" | "requeue" | "requeue_after";

export interface ReconcileMetrics {
  readonly results: Readonly<Record<ReconcileResult, BoundCounter>>;
  /** Failed runs, including terminal failures and exceeded deadlines, excluding conflicts. */
  readonly errors: BoundCounter;
  readonly terminal: BoundCounter;
  /** Defects of the program: a failed assertion or an invalid result. Other errors thrown are ordinary failures. */
  readonly panics: BoundCounter;
  /** Runs that exceeded the controller's own deadline. */
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

/** Returns the metrics of one controller. */
export function reconcileMetrics(metrics: Metrics, controller: string): ReconcileMetrics {
  const labels = ["controller"];
  const own = { controller };
  const counter = (name: string, help: string): BoundCounter => metrics.counter({ name, help, labels }).with(own);
  const gauge = (name: string, help: string): BoundGauge => metrics.gauge({ name, help, labels }).with(own);
  const total = metrics.counter({
    name: "controller_runtime_reconcile_total",
    help: "Reconciles per controller, by result.",
    labels: ["controller", "result"],
  });
  const result = (name: ReconcileResult): BoundCounter => total.with({ controller, result: name });
  return {
    results: { success: result("success"), error: result("error"), requeue: result("requeue"), requeue_after: result("requeue_after") },
    errors: counter("controller_runtime_reconcile_errors_total", "Reconciles that failed."),
    terminal: counter("controller_runtime_terminal_reconcile_errors_total", "Reconciles that failed and are not retried."),
    panics: counter(
      "controller_runtime_reconcile_panics_total",
      "Reconciles that ended with a defect of the program: a failed assertion or an invalid result.",
    ),
    timeouts: counter("controller_runtime_reconcile_timeouts_total", "Reconciles that exceeded their deadline."),
    seconds: metrics
      .histogram({
        name: "controller_runtime_reconcile_time_seconds",
        help: "Duration of reconciles.",
        labels,
        buckets: reconcileTimeBuckets,
      })
      .with(own),
    workers: gauge("controller_runtime_max_concurrent_reconciles", "Maximum number of concurrent reconciles."),
    active: gauge("controller_runtime_active_workers", "Number of reconciles in progress."),
    conflicts: counter("drover_reconcile_conflicts_total", "Reconciles retried because of a conflict with another writer."),
    cacheWaits: counter(
      "drover_reconcile_cache_waits_total",
      "Reconciles delayed until the caches show the writes of earlier runs of the same key.",
    ),
    blocked: LoopWatchdog.counter(metrics).with(own),
    slowed: counter("drover_reconcile_echoes_slowed_total", "Times a key was delayed because only its own writes caused its runs."),
    leaks: counter("drover_reconcile_handle_leaks_total", "Reconciles that left many timers or other handles open."),
  };
}
