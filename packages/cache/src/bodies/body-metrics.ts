/** Metrics of the bodies of a bounded informer. */
import type { BoundCounter, BoundGauge, Metrics } from "@drover/machinery";

/**
 * How a read ended: `hit` from the cache; `read` from the server, and the body is cached again; `newer` with a version that the watch
 * has yet to deliver; `gone` the object was deleted or replaced meanwhile; `stale` only older answers; `error` the request failed or was
 * cancelled.
 */
export type ReadOutcome = "hit" | "read" | "newer" | "gone" | "stale" | "error";

export interface BodyMetrics {
  readonly bytes: BoundGauge;
  readonly evicted: BoundCounter;
  readonly open: BoundGauge;
  /** Counts reads, those that share a request once each. */
  read(outcome: ReadOutcome): void;
  /** Counts answers that were not used: older than the cache, or to be confirmed. */
  readonly repeated: BoundCounter;
}

/** Creates the time series of one informer, starting at zero. */
export function bodyMetrics(metrics: Metrics, name: string): BodyMetrics {
  const reads = metrics.counter({
    name: "informer_body_reads_total",
    help: "Reads of objects of a bounded informer, by outcome",
    labels: ["name", "outcome"],
  });
  const outcome = (kind: ReadOutcome): BoundCounter => reads.with({ name, outcome: kind });
  const bound = {
    hit: outcome("hit"),
    read: outcome("read"),
    newer: outcome("newer"),
    gone: outcome("gone"),
    stale: outcome("stale"),
    error: outcome("error"),
  };
  const counter = (metric: string, help: string): BoundCounter => metrics.counter({ name: metric, help, labels: ["name"] }).with({ name });
  const gauge = (metric: string, help: string): BoundGauge => metrics.gauge({ name: metric, help, labels: ["name"] }).with({ name });
  return {
    bytes: gauge("informer_body_bytes", "Bytes of the cached bodies of a bounded informer"),
    evicted: counter("informer_body_evictions_total", "Bodies that a bounded informer dropped because of its limit"),
    open: gauge("informer_body_requests_open", "Requests for evicted bodies under way"),
    read: (kind) => bound[kind].add(),
    repeated: counter("informer_body_requests_repeated_total", "Answers to requests for evicted bodies that were older than the cache"),
  };
}
