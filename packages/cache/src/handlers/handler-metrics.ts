/**
 * The metrics of an informer's handlers, one time series per handler.
 *
 *     HandlerSet → handlerMetrics → HandlerRunner
 */
import type { Metrics } from "@drover/machinery";
import type { RunnerMetrics } from "./handler-runner.ts";

export interface HandlerMetrics {
  /** Creates the metrics of one handler, starting at zero. */
  of(handler: string): RunnerMetrics;
  /** Ends the time series of one handler. */
  forget(handler: string): void;
}

export function handlerMetrics(metrics: Metrics, name: string): HandlerMetrics {
  const labels = ["name", "handler"];
  const error = metrics.counter({ name: "informer_handler_errors_total", help: "Failed calls of a handler", labels });
  const givenUp = metrics.counter({
    name: "informer_handler_given_up_total",
    help: "Changes dropped after all retries of a handler failed",
    labels,
  });
  const merged = metrics.counter({
    name: "informer_handler_merged_total",
    help: "Changes merged with one that the handler had not received yet",
    labels,
  });
  const pending = metrics.gauge({
    name: "informer_handler_pending_keys",
    help: "Keys with changes that the handler has not received yet",
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
