/**
 * The metrics of an informer's handlers, one time series per handler.
 *
 *     HandlerSet → handlerMetrics → HandlerRunner
 */
import type { Metrics } from "@drover/machinery";
import type { RunnerMetrics } from "./handler-runner.ts";

export interface HandlerMetrics {
  /** Those of one handler; they stand at zero from now on. */
  of(handler: string): RunnerMetrics;
  /** Ends the time series of one handler. */
  forget(handler: string): void;
}

export function handlerMetrics(metrics: Metrics, name: string): HandlerMetrics {
  const labels = ["name", "handler"];
  const error = metrics.counter({ name: "informer_handler_errors_total", help: "Calls of a handler that failed", labels });
  const givenUp = metrics.counter({
    name: "informer_handler_given_up_total",
    help: "Changes a handler failed on until the retries were used up",
    labels,
  });
  const merged = metrics.counter({
    name: "informer_handler_merged_total",
    help: "Changes merged into one that a slow handler had not been told yet",
    labels,
  });
  const pending = metrics.gauge({
    name: "informer_handler_pending_keys",
    help: "Keys of which a slow handler is still to be told",
    labels,
  });
  return {
    of: (handler) => {
      const bound = {
        error: error.with({ name, handler }),
        givenUp: givenUp.with({ name, handler }),
        merged: merged.with({ name, handler }),
      };
      const waiting = pending.with({ name, handler });
      return { count: (what) => bound[what].add(), pending: (keys) => waiting.set(keys) };
    },
    forget: (handler) => {
      for (const metric of [error, givenUp, merged, pending]) metric.remove({ name, handler });
    },
  };
}
