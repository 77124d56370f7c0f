/**
 * Creates the shards of a manager. Only when the manager stops does it know how much time the work has left, and whether to release the
 * leases.
 *
 *     ManagerOptions.shards → createSharding → ShardSet
 */
import type { Client } from "@drover/client";
import type { Runtime } from "@drover/machinery";
import type { LeaderElectorOptions } from "../leader/leader-elector.ts";
import type { LeaseTimingOptions } from "../leader/lease-timing.ts";
import { shardLayout } from "../shards/shard-layout.ts";
import type { ShardBy } from "../shards/shard-layout.ts";
import { ShardSet } from "../shards/shard-set.ts";
import type { ShardSetOptions } from "../shards/shard-set.ts";

/** Shares the keys of a manager's controllers among replicas. */
export interface ShardsOptions extends LeaseTimingOptions, Pick<LeaderElectorOptions, "identity" | "labels" | "afterMissingLease"> {
  readonly namespace: string;
  /** Beginning of the names of the leases: the same for all replicas of this program, and used by no other program. */
  readonly name: string;
  /**
   * Number of shards, at most 1024; each is one lease. More than the replicas you will ever run, so that they get equal parts. Replicas
   * with another `count` or `by` wait until those before them have ended. @default 16
   */
  readonly count?: number;
  /**
   * What decides the shard of a key: "hash" of the whole key; only its namespace, so that one replica has all objects of a namespace; or
   * the value of a label, `{ label: "example.com/tenant" }`, so that one replica has all objects of a tenant. With a label, an object that
   * is new, was deleted or got another value waits until all replicas have seen it, some tenths of a second; not together with `threads`.
   * @default "hash"
   */
  readonly by?: ShardBy;
  /** Client for the leases. It should not share a rate limit with the controllers. @default the client of the manager's cluster */
  readonly client?: Client;
  /** How long work of an expired term may continue before /healthz fails, in milliseconds. @default 20000 */
  readonly healthToleranceMs?: number;
}

export interface ShardingHooks {
  /** Returns the time left of the grace period, in milliseconds; Infinity unless the manager is stopping. */
  readonly graceLeftMs: () => number;
  /** Returns the longest time that a controller gives the runs of a shard that moves, in milliseconds. */
  readonly drainMaxMs: () => number;
  /** Reports whether leases may be released: all work has ended, or the manager is not stopping. */
  readonly mayRelease: () => boolean;
}

/** Time for aborted runs to end, and for responses to what they have sent, after the time that controllers give them. */
const answersMs = 10_000;

/** Throws for invalid names, counts and durations. */
export function createSharding(
  options: ShardsOptions,
  {
    runtime,
    client,
    hooks,
    mirrorOf,
  }: Pick<ShardSetOptions, "mirrorOf"> & {
    readonly runtime: Runtime;
    readonly client: Client;
    readonly hooks: ShardingHooks;
  },
): ShardSet {
  const { count, by, identity, ...rest } = options;
  return new ShardSet({
    client,
    ...rest,
    identity,
    runtime,
    mirrorOf,
    layout: shardLayout({ ...(count === undefined ? {} : { count }), ...(by === undefined ? {} : { by }) }),
    drainMs: () => Math.min(hooks.graceLeftMs(), hooks.drainMaxMs() + answersMs),
    mayRelease: hooks.mayRelease,
  });
}
