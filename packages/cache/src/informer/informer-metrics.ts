/**
 * The numbers of an informer. Three stand under client-go's names and labels; the others are ours.
 *
 *     createInformer → informerMetrics
 */
import { exponentialBuckets } from "@drover/machinery";
import type { BoundCounter, BoundGauge, BoundHistogram, GroupVersionResource, Metrics } from "@drover/machinery";

export interface InformerMetrics {
  readonly queued: BoundGauge;
  readonly latency: BoundHistogram;
  readonly storeVersion: BoundGauge;
  /** Events that said nothing new: the same version again. */
  readonly unchanged: BoundCounter;
  /** Events older than what was stored. */
  readonly stale: BoundCounter;
  /** Objects a transform could not deal with. */
  readonly poison: BoundCounter;
  readonly indexErrors: BoundCounter;
}

/** The time series of one informer; they stand at zero from now on. */
export function informerMetrics(metrics: Metrics, name: string, { group, version, resource }: GroupVersionResource): InformerMetrics {
  const upstream = { name, group, version, resource };
  const labels = Object.keys(upstream);
  const counter = (metric: string, help: string): BoundCounter => metrics.counter({ name: metric, help, labels: ["name"] }).with({ name });
  return {
    queued: metrics.gauge({ name: "informer_queued_items", help: "Deltas that wait to be stored", labels }).with(upstream),
    latency: metrics
      .histogram({
        name: "informer_processing_latency_seconds",
        help: "From the arrival of a delta to the moment it is stored and told",
        labels,
        // 1 ms, doubling, to 8 s, and the 10 s that client-go ends with.
        buckets: [...exponentialBuckets(0.001, 2, 14), 10],
      })
      .with(upstream),
    storeVersion: metrics
      .gauge({ name: "informer_store_resource_version", help: "The last 15 digits of the version the store is at", labels })
      .with(upstream),
    unchanged: counter("informer_unchanged_total", "Events about a version that was stored already"),
    stale: counter("informer_stale_total", "Events older than what was stored, which were dropped"),
    poison: counter("informer_poison_objects_total", "Objects the transform failed on, or that could not be read when somebody looked"),
    indexErrors: counter("informer_index_errors_total", "Objects an index function failed on"),
  };
}
