/** What is handed to an operator once and used in every run: a value that runs may share, or a function that makes one for each. */
import type { Cluster } from "@drover/cache";

/** Something that is the same in each run, or made anew from the cluster it is for. */
export type PerRun<V extends object> = V | ((cluster: Cluster) => V);

/** What is meant in the run on this cluster. */
export function forRun<V extends object>(value: PerRun<V>, cluster: Cluster): V {
  return typeof value === "function" ? value(cluster) : value;
}
