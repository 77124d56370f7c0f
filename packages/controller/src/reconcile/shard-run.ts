/** The part of a run that ends with its shard. */
import type { ReconcileRun } from "./reconcile-run.ts";

export type ShardRun = Pick<ReconcileRun, "key" | "drain" | "abort" | "abandon">;
