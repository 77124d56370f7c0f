/**
 * What the rest of a program sees of its shards: which keys are ours, and the fence of each.
 *
 *     ShardSet (leases) → Shards → controllers: which keys to reconcile, through which fence to write
 */
import type { ObjectKey } from "@drover/machinery";
import type { Fence } from "../leader/fence.ts";
import type { Clearance } from "./clearance.ts";
import type { SeenRecord } from "./seen-record.ts";
import type { ShardLayout } from "./shard-layout.ts";

/** Snapshot of the shards of a replica. */
export interface ShardsView {
  /** Layout in words: "16-by-hash". */
  readonly layout: string;
  /** Shards that this replica holds, in order. */
  readonly held: readonly number[];
  /** Shards that it should hold. */
  readonly wanted: readonly number[];
  /** Names of the member leases of all replicas that renew them. */
  readonly members: readonly string[];
  /** Lease of another layout that must be released or expire first; absent if there is none. */
  readonly blockedBy?: string;
}

/** The shards of this replica. */
export interface Shards {
  readonly layout: ShardLayout;
  /** Returns the shard of a key. @param value - with `by: { label }`, value of the label on the object; undefined if there is none */
  shardOf(key: ObjectKey, value?: string): number;
  /** What controllers publish about their caches, and learn about those of other replicas. Absent unless `by: { label }`. */
  readonly seen?: SeenExchange | undefined;
  /** Whether this replica holds the shard and is not giving it up: runs of its keys may start. */
  holds(shard: number): boolean;
  /** Passes writes only while the lease of the shard is held. */
  fenceOf(shard: number): Fence;
  state(): ShardsView;
  /** Adds a worker. It is told about shards that are acquired later. */
  add(worker: ShardWorker): void;
  /** Removes a worker whose work has ended. */
  remove(worker: ShardWorker): void;
}

/** A part of the program that works on the keys of held shards. */
export interface ShardWorker {
  /** Called when a shard was acquired: work on its keys may start. */
  acquired(shard: number): void;
  /**
   * Called when a shard is given up or was lost; `reason` is a `FencedError` if it was lost. Resolves when no work of the shard is left;
   * true if all of it has ended, false if some was abandoned. Must not reject.
   */
  released(shard: number, reason: unknown): Promise<boolean>;
}

/** Connects the controllers of a replica with what all replicas publish. */
export interface SeenExchange {
  /** Label that decides the shard of an object. */
  readonly label: string;
  /** How long a write whose outcome is unknown may still be on its way, in milliseconds. */
  readonly leaseDurationMs: number;
  /** Number of the first list that is sent from now on. */
  readonly nextList: number;
  /** Returns a function that removes the reader. */
  add(reader: SeenReader): () => void;
  /** Publishes and lists soon. */
  wake(): void;
}

/** One controller, which reads keys from a cache. */
export interface SeenReader {
  readonly controller: string;
  /** Why this replica must end: its cache cannot be compared with others. */
  readonly problem: Error | undefined;
  /** Whether something waits for other replicas. */
  readonly isWaiting: boolean;
  /** What the cache has; undefined before it has synced. */
  read(): SeenRecord | undefined;
  /** A list was received. Reports whether the cache has reached what it needs. */
  settle(clearance: Clearance): boolean;
}
