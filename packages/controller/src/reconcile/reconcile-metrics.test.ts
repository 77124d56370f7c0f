import { createMetrics, prometheusText, reconcileTimeBuckets } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { reconcileMetrics } from "./reconcile-metrics.ts";

describe("reconcileMetrics", () => {
  it("have controller-runtime's names and labels, and exist from the start at zero", () => {
    const metrics = createMetrics();
    reconcileMetrics(metrics, "web");
    const lines = prometheusText(metrics)
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#") && !line.includes("_bucket"));
    expect(lines.toSorted()).toEqual([
      'controller_runtime_active_workers{controller="web"} 0',
      'controller_runtime_max_concurrent_reconciles{controller="web"} 0',
      'controller_runtime_reconcile_errors_total{controller="web"} 0',
      'controller_runtime_reconcile_panics_total{controller="web"} 0',
      'controller_runtime_reconcile_time_seconds_count{controller="web"} 0',
      'controller_runtime_reconcile_time_seconds_sum{controller="web"} 0',
      'controller_runtime_reconcile_timeouts_total{controller="web"} 0',
      'controller_runtime_reconcile_total{controller="web",result="error"} 0',
      'controller_runtime_reconcile_total{controller="web",result="requeue"} 0',
      'controller_runtime_reconcile_total{controller="web",result="requeue_after"} 0',
      'controller_runtime_reconcile_total{controller="web",result="success"} 0',
      'controller_runtime_terminal_reconcile_errors_total{controller="web"} 0',
      'drover_event_loop_blocked_total{controller="web"} 0',
      'drover_reconcile_cache_waits_total{controller="web"} 0',
      'drover_reconcile_conflicts_total{controller="web"} 0',
      'drover_reconcile_echoes_slowed_total{controller="web"} 0',
      'drover_reconcile_handle_leaks_total{controller="web"} 0',
    ]);
  });

  it("have controller-runtime's forty time buckets", () => {
    expect([reconcileTimeBuckets.length, reconcileTimeBuckets[0], reconcileTimeBuckets.at(-1)]).toEqual([40, 0.005, 60]);
  });

  it("of two controllers are separate", () => {
    const metrics = createMetrics();
    reconcileMetrics(metrics, "web").errors.add();
    reconcileMetrics(metrics, "db").errors.add(2);
    expect(prometheusText(metrics)).toMatch(/errors_total\{controller="db"\} 2\n.*errors_total\{controller="web"\} 1/);
  });
});
