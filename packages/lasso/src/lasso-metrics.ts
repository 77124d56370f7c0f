/** Metrics under the names that Lasso dashboards use. */
import { reconcileTimeBuckets } from "@drover/machinery";
import type { BoundGauge, GroupVersionKind, Metrics } from "@drover/machinery";

/** One call of one handler. */
export interface HandlerExecution {
  readonly controllerName: string;
  readonly handlerName: string;
  readonly hasError: boolean;
  readonly seconds: number;
}

/** Metrics of one context, Lasso's term for one of several clusters in a process. */
export interface LassoMetrics {
  handled(execution: HandlerExecution): void;
  /** Returns the gauge of cached objects of a kind. It is at zero from now on, until `forgetCache`. */
  cachedObjects(kind: GroupVersionKind): BoundGauge;
  forgetCache(kind: GroupVersionKind): void;
}

const executionLabels = ["ctx", "controller_name", "handler_name", "has_error"] as const;

/** Returns the metrics of a context. */
export function lassoMetrics(metrics: Metrics, ctx: string): LassoMetrics {
  const executions = metrics.counter({
    name: "lasso_controller_total_handler_execution",
    help: "Number of handler calls",
    labels: executionLabels,
  });
  const times = metrics.histogram({
    name: "lasso_controller_reconcile_time_seconds",
    help: "Duration of handler calls, in seconds",
    labels: executionLabels,
    buckets: reconcileTimeBuckets,
  });
  const objects = metrics.gauge({
    name: "lasso_controller_total_cached_object",
    help: "Number of cached objects",
    labels: ["ctx", "group", "version", "kind"],
  });
  const labelsOf = ({ group, version, kind }: GroupVersionKind) => ({ ctx, group, version, kind });
  return {
    handled: ({ controllerName, handlerName, hasError, seconds }) => {
      const labels = { ctx, controller_name: controllerName, handler_name: handlerName, has_error: String(hasError) };
      executions.add(1, labels);
      times.observe(seconds, labels);
    },
    cachedObjects: (kind) => objects.with(labelsOf(kind)),
    forgetCache: (kind) => objects.remove(labelsOf(kind)),
  };
}
