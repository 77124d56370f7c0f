/** Metrics of a reflector, under the names that client-go's reflectors had. The label is the reflector's name. */
import type { BoundCounter, BoundGauge, BoundHistogram, Metrics } from "@drover/machinery";

export interface ReflectorMetrics {
  readonly lists: BoundCounter;
  readonly listDuration: BoundHistogram;
  readonly itemsPerList: BoundHistogram;
  readonly watches: BoundCounter;
  readonly shortWatches: BoundCounter;
  readonly watchDuration: BoundHistogram;
  readonly events: BoundCounter;
  readonly errors: BoundCounter;
  readonly poison: BoundCounter;
  readonly refused: BoundCounter;
  readonly epochs: BoundCounter;
  readonly lastVersion: BoundGauge;
}

const durationBuckets: readonly number[] = [0.005, 0.05, 0.5, 1, 5, 10, 60, 300, 600];
const itemBuckets: readonly number[] = [1, 10, 100, 1000, 10_000, 100_000];

/** Creates the time series of one reflector, starting at zero. */
export function reflectorMetrics(metrics: Metrics, name: string): ReflectorMetrics {
  const labels = ["name"];
  const counter = (metric: string, help: string): BoundCounter => metrics.counter({ name: metric, help, labels }).with({ name });
  const histogram = (metric: string, help: string, buckets: readonly number[]): BoundHistogram =>
    metrics.histogram({ name: metric, help, labels, buckets }).with({ name });
  return {
    lists: counter("reflector_lists_total", "Lists started, in pages or as a watch-list"),
    listDuration: histogram("reflector_list_duration_seconds", "Duration of lists", durationBuckets),
    itemsPerList: histogram("reflector_items_per_list", "Objects in a list", itemBuckets),
    watches: counter("reflector_watches_total", "Watches begun"),
    shortWatches: counter("reflector_short_watches_total", "Watches that ended within a second"),
    watchDuration: histogram("reflector_watch_duration_seconds", "Duration of watches", durationBuckets),
    events: counter("reflector_events_total", "Events received from watches, including bookmarks"),
    errors: counter("reflector_errors_total", "Lists and watches that failed"),
    poison: counter("reflector_poison_objects_total", "Objects that could not be decoded"),
    refused: counter("reflector_refused_versions_total", "Events and lists dropped because they were older than the cache"),
    epochs: counter("reflector_epochs_total", "Times the resource versions of the server went back permanently"),
    lastVersion: metrics
      .gauge({
        name: "reflector_last_resource_version",
        help: "The last 15 digits of the resource version up to which the cache is complete",
        labels,
      })
      .with({ name }),
  };
}

/** Returns a version as a number for a gauge; undefined if it is not a number. */
export function versionNumber(version: string): number | undefined {
  return /^[0-9]+$/.test(version) ? Number(version.slice(-15)) : undefined;
}
