/**
 * Which shards a replica starts to compete for, and which it gives up: pure. `shard-set.ts` does both.
 *
 *     ShardsState, ShardPlan, the replica's own leases → shardMoves → wanted, start, stop
 */
import type { LeaseTiming } from "../leader/lease-timing.ts";
import { assignShards } from "./shard-assignment.ts";
import { memberLeaseName } from "./shard-lease.ts";
import type { ShardPlan, ShardsState } from "./shards-state.ts";

/** What a replica knows about its own part in the lease of one shard. */
export interface SlotView {
  readonly leaseName: string;
  /** Whether it competes for the lease, holds it, or has not ended yet. */
  readonly isRunning: boolean;
  readonly isLeader: boolean;
  /** Whether its work on the shard may start. */
  readonly isOpen: boolean;
  /** See `LeaderElector.takeableMs`. */
  readonly takeableMs: number;
  /** When it lost the shard last, on the monotonic clock; −Infinity if never. */
  readonly lostMs: number;
}

export interface ShardMovesInput {
  /** Name of the operator. */
  readonly name: string;
  readonly identity: string;
  readonly timing: LeaseTiming;
  readonly state: ShardsState;
  readonly plan: ShardPlan;
  /** Whether the replica may take shards: it is announced, and no other layout works. */
  readonly isPermitted: boolean;
  /** By shard. */
  readonly slots: readonly SlotView[];
  readonly nowMs: number;
}

export interface ShardMoves {
  /** Member lease of the replica that should hold each shard, by shard; empty if there are no members. */
  readonly owners: readonly string[];
  /** Shards that this replica should hold. */
  readonly wanted: ReadonlySet<number>;
  readonly start: readonly number[];
  readonly stop: readonly number[];
}

/** Returns what to start: wanted shards whose lease is free or has expired, and idle ones of others; and what to give up. */
export function shardMoves(input: ShardMovesInput): ShardMoves {
  const { name, identity, plan, isPermitted, slots, nowMs } = input;
  const member = memberLeaseName(name, identity);
  const owners = assignShards(isPermitted ? new Set([...plan.members, member]) : [], slots.length, holders(input, member));
  const wanted = new Set(owners.flatMap((owner, shard) => (owner === member ? [shard] : [])));
  const start: number[] = [];
  const stop: number[] = [];
  for (const [shard, slot] of slots.entries()) {
    const isWanted = wanted.has(shard);
    const holder = plan.holders.get(slot.leaseName) ?? identity;
    const fromMs = isWanted ? takeFromMs(slot, input.timing) : Math.max(idleFromMs(slot, input), afterLossMs(slot, input.timing));
    if (isPermitted && !slot.isRunning && fromMs <= nowMs) start.push(shard);
    // A candidate that lost the race waits here, where it notices sooner when the lease becomes free. One that may win is not stopped:
    // the write that acquires the lease could still arrive, and no replica would renew or release it.
    else if (slot.isRunning && (slot.isLeader ? !isWanted : holder !== identity)) stop.push(shard);
  }
  return { owners, wanted, start, stop };
}

/** Returns when a replica may take a shard that it should hold, on the monotonic clock. */
export function takeFromMs(slot: SlotView, timing: LeaseTiming): number {
  return Math.max(slot.takeableMs, afterLossMs(slot, timing));
}

/**
 * Returns when a replica may take a shard again that it lost: no earlier than others could. A write that was aborted by the loss may still
 * arrive, and must not arrive after one of the next term.
 */
function afterLossMs({ lostMs }: SlotView, { leaseDurationMs, renewDeadlineMs }: LeaseTiming): number {
  return lostMs + leaseDurationMs - renewDeadlineMs;
}

/**
 * Returns when a replica takes a shard that belongs to another: a retry period after that one could have. It may have started too recently
 * to know how old the last holder's lease is, or it may be dead. What is too much for us is released again, free at once.
 */
function idleFromMs({ leaseName, takeableMs }: SlotView, { state, timing }: ShardMovesInput): number {
  const sight = state.get(leaseName);
  if (sight === undefined || sight.isAbsent) return Infinity;
  return Math.max(takeableMs, sight.sinceMs) + timing.retryPeriodMs;
}

/** Returns the member leases of the holders of shards, by shard; our own as we know it, which the list may not show yet. */
function holders({ name, slots, plan }: ShardMovesInput, member: string): ReadonlyMap<number, string> {
  const known = new Map<number, string>();
  for (const [shard, { leaseName, isOpen }] of slots.entries()) {
    const holder = plan.holders.get(leaseName);
    if (isOpen) known.set(shard, member);
    else if (holder !== undefined) known.set(shard, memberLeaseName(name, holder));
  }
  return known;
}
