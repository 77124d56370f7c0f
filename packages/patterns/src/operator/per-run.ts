/** A value that all runs of an operator share, or a function that creates one per run. */
import type { Cluster } from "@drover/cache";

/** A shared value, or a function from the cluster of a run to its value. */
export type PerRun<V extends object> = V | ((cluster: Cluster) => V);

/** Returns the value for the run on this cluster. */
export function forRun<V extends object>(value: PerRun<V>, cluster: Cluster): V {
  return typeof value === "function" ? value(cluster) : value;
}
