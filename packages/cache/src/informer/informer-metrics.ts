/**
 * Metrics of an informer. Three have client-go's names and labels; the others are Drover's.
 *
 *     createInformer → informerMetrics
 */
import { exponentialBuckets } from "@drover/machinery";
import type { BoundCounter, BoundGauge, BoundHistogram, GroupVersionResource, Metrics } from "@drover/machinery";

export interface InformerMetrics {
  readonly queued: BoundGauge;
  readonly latency: BoundHistogram;
  readonly storeVersion: BoundGauge;
  /** When the store last took an event or a bookmark, in seconds since 1970. */
  readonly progressAt: BoundGauge;
  /** Events with a version that was stored already. */
  readonly unchanged: BoundCounter;
  /** Events older than the stored version. */
  readonly stale: BoundCounter;
  /** Objects on which the transform failed, or that could not be decoded. */
  readonly poison: BoundCounter;
  readonly indexErrors: BoundCounter;
}

/** Creates the time series of one informer, starting at zero. */
export function informerMetrics(metrics: Metrics, name: string, { group, version, resource }: GroupVersionResource): InformerMetrics {
  const upstream = { name, group, version, resource };
  const labels = Object.keys(upstream);
  const counter = (metric: string, help: string): BoundCounter => metrics.counter({ name: metric, help, labels: ["name"] }).with({ name });
  return {
    queued: metrics.gauge({ name: "informer_queued_items", help: "Deltas waiting to be stored", labels }).with(upstream),
    latency: metrics
      .histogram({
        name: "informer_processing_latency_seconds",
        help: "Time from the arrival of a delta until it is stored and delivered",
        labels,
        // 1 ms, doubling to 8 s, and client-go's last bucket of 10 s.
        buckets: [...exponentialBuckets(0.001, 2, 14), 10],
      })
      .with(upstream),
    storeVersion: metrics
      .gauge({ name: "informer_store_resource_version", help: "The last 15 digits of the resource version of the store", labels })
      .with(upstream),
    progressAt: metrics
      .gauge({ name: "informer_progress_timestamp_seconds", help: "When the store last took an event or a bookmark", labels })
      .with(upstream),
    unchanged: counter("informer_unchanged_total", "Events with a version that was stored already"),
    stale: counter("informer_stale_total", "Events dropped because they were older than the stored version"),
    poison: counter("informer_poison_objects_total", "Objects on which the transform failed, or that could not be decoded"),
    indexErrors: counter("informer_index_errors_total", "Objects on which an index function failed"),
  };
}
