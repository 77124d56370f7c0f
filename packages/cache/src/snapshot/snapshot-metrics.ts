/** Metrics of the snapshot of a cache. */
import type { Metrics } from "@drover/machinery";

export interface SnapshotMetrics {
  /**
   * Counts a start: `watch` resumed with a watch; `list` was compared with a list; `none` there was no snapshot; `unusable` it is
   * damaged or does not fit; `dropped` it is of another server or of a later version.
   */
  loaded(how: "watch" | "list" | "none" | "unusable" | "dropped"): void;
  written(bytes: number): void;
  failed(): void;
}

/** Creates the time series of one informer. */
export function snapshotMetrics(metrics: Metrics, name: string): SnapshotMetrics {
  const loads = metrics.counter({
    name: "informer_snapshot_loads_total",
    help: "Starts of an informer with snapshots, by how its snapshot was used",
    labels: ["name", "outcome"],
  });
  const writes = metrics.counter({ name: "informer_snapshot_writes_total", help: "Snapshots of a cache", labels: ["name", "outcome"] });
  const size = metrics.gauge({ name: "informer_snapshot_bytes", help: "Bytes of the last snapshot of a cache", labels: ["name"] });
  return {
    loaded: (outcome) => loads.add(1, { name, outcome }),
    written: (bytes) => {
      writes.add(1, { name, outcome: "ok" });
      size.set(bytes, { name });
    },
    failed: () => writes.add(1, { name, outcome: "error" }),
  };
}
