/**
 * What a replica knows about the leases of its operator, and what follows: pure. `shard-set.ts` does the waiting.
 *
 *     list of leases → sawLeases → ShardsState → planShards → who is alive, which replicas have another layout, what to delete
 *
 * As in lease-state, a lease expires by our own monotonic clock, a full duration after we first saw its current version.
 *
 * Replicas with different layouts (another number of shards) must not work at the same time, although they compete for different leases. So
 * a replica announces itself with its member lease, then lists all leases, and takes shards only if that list shows no lease of another
 * layout that may be held. Of two replicas that announce themselves at once, at least one sees the other. A replica that sees another
 * layout before it announces itself does not; so while old replicas run, new ones wait.
 */
import type { Lease } from "@drover/api/coordination/v1";
import type { DeepReadonly } from "@drover/machinery";
import { durationMsOf, holderOf, isReleased, isUnused, sameVersion } from "../leader/lease-record.ts";
import { readShardLease } from "./shard-lease.ts";

/** What was last seen of one lease. */
export interface ShardSight {
  readonly lease: DeepReadonly<Lease>;
  /** When this version, or its absence, was first seen, on the monotonic clock. */
  readonly sinceMs: number;
  /** Deleted since. That does not stop its holder, so it counts as held for a full duration. */
  readonly isAbsent: boolean;
}

/** Sights by name of the lease. */
export type ShardsState = ReadonlyMap<string, ShardSight>;

export interface ShardsRules {
  /** As in `printLayout`. */
  readonly layout: string;
  readonly leaseDurationMs: number;
  /** How long a replica gets shards after its member lease was last seen to change. */
  readonly freshMs: number;
  /** Name of our own member lease. */
  readonly member: string;
}

/** What a replica concludes from its state. */
export interface ShardPlan {
  /**
   * Member leases of replicas with our layout that renew them. One that has stopped renewing keeps what it holds until that expires, but
   * gets nothing more: it may be dead.
   */
  readonly members: readonly string[];
  /** Leases of another layout that may be held: shards first, then members. */
  readonly strangers: readonly ShardStranger[];
  /** Holders of the shards of our layout, by name of the lease; only of leases that have not expired. */
  readonly holders: ReadonlyMap<string, string>;
  /** Leases that nothing needs any more: of replicas that are gone, and of another layout. */
  readonly garbage: readonly DeepReadonly<Lease>[];
  /** When the next lease expires if it is not renewed, on the monotonic clock; Infinity if none does. */
  readonly nextMs: number;
}

export interface ShardStranger {
  readonly name: string;
  readonly role: "shard" | "member";
  readonly layout: string;
}

/** How many lease durations a lease must be dead before it is deleted: a replica that was suspended for a while finds its lease. */
const garbageAfter = 10;

/** Records a complete list, received at `atMs`. */
export function sawLeases(before: ShardsState, leases: readonly DeepReadonly<Lease>[], atMs: number, rules: ShardsRules): ShardsState {
  const next = new Map<string, ShardSight>();
  for (const lease of leases) {
    const { name = "" } = lease.metadata;
    const known = before.get(name);
    const isKnown = known !== undefined && !known.isAbsent && sameVersion(known.lease, lease);
    next.set(name, isKnown ? known : { lease, sinceMs: atMs, isAbsent: false });
  }
  for (const [name, known] of before) {
    // One that has expired is usually deleted as garbage.
    if (next.has(name) || !isLive(known, atMs, rules)) continue;
    next.set(name, known.isAbsent ? known : { ...known, sinceMs: atMs, isAbsent: true });
  }
  return next;
}

/** Draws the conclusions at a time that is not before the last list. */
export function planShards(state: ShardsState, atMs: number, rules: ShardsRules): ShardPlan {
  const members: string[] = [];
  const strangers: ShardStranger[] = [];
  const garbage: DeepReadonly<Lease>[] = [];
  const holders = new Map<string, string>();
  let nextMs = Infinity;
  for (const [name, sight] of state) {
    const { role, layout } = readShardLease(sight.lease);
    const isOurLayout = layout === rules.layout;
    if (isOurLayout && role === "shard") {
      if (isLive(sight, atMs, rules)) holders.set(name, holderOf(sight.lease));
    } else if (isLive(sight, atMs, rules)) {
      nextMs = Math.min(nextMs, endMs(sight, rules));
      if (!isOurLayout) strangers.push({ name, role: role === "seen" ? "member" : role, layout });
      else if (role === "member" && !sight.isAbsent && atMs < sight.sinceMs + rules.freshMs) members.push(name);
    } else if (!sight.isAbsent && name !== rules.member && atMs >= sight.sinceMs + garbageAfter * rules.leaseDurationMs) {
      garbage.push(sight.lease);
    }
  }
  return { members, strangers: strangers.toSorted(byRoleAndName), holders, garbage, nextMs };
}

/** What to do about our own member lease. */
export type Announcement = "announce" | "withdraw" | "keep";

/**
 * Decides whether this replica may take part. While it has no shard and another layout is in the way, it withdraws; if the others have no
 * shard either, the one with the lowest name stays and waits for them to withdraw, so that one layout wins.
 */
export function announcement(
  { strangers }: Pick<ShardPlan, "strangers">,
  { isAnnounced, isActive, member }: { readonly isAnnounced: boolean; readonly isActive: boolean; readonly member: string },
): Announcement {
  if (!isAnnounced) return strangers.length === 0 ? "announce" : "keep";
  const isFirst = strangers.every(({ role, name }) => role === "member" && member < name);
  return isActive || isFirst ? "keep" : "withdraw";
}

const isFree = ({ lease }: ShardSight): boolean => isReleased(lease) || isUnused(lease);

const endMs = ({ lease, sinceMs }: ShardSight, { leaseDurationMs }: ShardsRules): number => sinceMs + durationMsOf(lease, leaseDurationMs);

/** Reports whether the holder may still rely on the lease. */
const isLive = (sight: ShardSight, atMs: number, rules: ShardsRules): boolean => !isFree(sight) && atMs < endMs(sight, rules);

const byRoleAndName = (one: ShardStranger, other: ShardStranger): number =>
  one.role === other.role ? (one.name < other.name ? -1 : 1) : one.role === "shard" ? -1 : 1;
