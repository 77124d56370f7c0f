/** Metrics of a sharded operator. All exist from the start, at zero. */
import type { BoundCounter, BoundGauge, Metrics } from "@drover/machinery";

export interface ShardMetrics {
  readonly held: BoundGauge;
  readonly wanted: BoundGauge;
  readonly members: BoundGauge;
  readonly acquired: BoundCounter;
  /** Given to another replica, or released on stop. */
  readonly released: BoundCounter;
  /** Lost because the lease was not renewed in time or another holder took it. */
  readonly lost: BoundCounter;
}

/** Returns the metrics of one operator. */
export function shardMetrics(metrics: Metrics, name: string): ShardMetrics {
  const own = { name };
  const labels = ["name"];
  const gauge = (metric: string, help: string): BoundGauge => metrics.gauge({ name: metric, help, labels }).with(own);
  const counter = (metric: string, help: string): BoundCounter => metrics.counter({ name: metric, help, labels }).with(own);
  return {
    held: gauge("drover_shards_held", "Shards that this replica holds."),
    wanted: gauge("drover_shards_wanted", "Shards that this replica should hold."),
    members: gauge("drover_shard_members", "Replicas that renew their lease, as seen by this one."),
    acquired: counter("drover_shard_acquisitions_total", "Shards acquired by this replica."),
    released: counter("drover_shard_releases_total", "Shards released by this replica, for another one or on stop."),
    lost: counter("drover_shard_losses_total", "Shards lost because their lease was not renewed in time or was taken."),
  };
}
