/**
 * Creates the threads of a manager from its leases.
 *
 *     ManagerOptions.threads, leaderElection, shards → createTeam → ThreadTeam
 */
import { leaseTiming } from "../leader/lease-timing.ts";
import { shardLayout } from "../shards/shard-layout.ts";
import type { ShardLayout } from "../shards/shard-layout.ts";
import { shardLeaseName } from "../shards/shard-lease.ts";
import { ThreadTeam } from "../threads/thread-team.ts";
import type { ManagerThreads, ThreadTeamOptions } from "../threads/thread-team.ts";
import type { ManagerOptions } from "./manager-options.ts";

/** Every thread has its own caches and connections. */
const countMax = 64;

/** Throws a `RangeError` that names the option, for a number of threads that makes no sense. */
export function checkThreads(count: unknown): asserts count is number {
  if (!Number.isSafeInteger(count) || Number(count) < 1 || Number(count) > countMax)
    throw new RangeError(`threads must be a whole number from 1 to ${countMax}, not ${JSON.stringify(count) ?? String(count)}`);
}

export function createTeam(
  threads: ManagerThreads,
  options: ManagerOptions,
  hooks: Pick<ThreadTeamOptions, "graceLeftMs" | "drainMaxMs">,
): ThreadTeam {
  checkThreads(threads.count);
  const { runtime, leaderElection, shards, syncTimeoutMs = 120_000 } = options;
  const { count, by } = shards ?? {};
  if (typeof by === "object")
    throw new TypeError(
      "shards.by a label cannot be used with threads, whose caches differ in age within a replica: remove threads, or run more replicas",
    );
  const layout = shardLayout(
    shards === undefined ? { count: 1 } : { ...(count === undefined ? {} : { count }), ...(by === undefined ? {} : { by }) },
  );
  return new ThreadTeam({
    ...threads,
    ...hooks,
    runtime,
    layout,
    leases: leasesOf(options, layout),
    leaseDurationMs: leaseTiming(leaderElection ?? shards ?? {}).leaseDurationMs,
    syncTimeoutMs,
  });
}

function leasesOf({ leaderElection, shards }: Pick<ManagerOptions, "leaderElection" | "shards">, layout: ShardLayout): readonly string[] {
  if (shards !== undefined)
    return Array.from({ length: layout.count }, (_, shard) => `${shards.namespace}/${shardLeaseName(shards.name, shard, layout)}`);
  return leaderElection === undefined ? [] : [`${leaderElection.namespace}/${leaderElection.name}`];
}
