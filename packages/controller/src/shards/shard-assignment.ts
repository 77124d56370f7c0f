/**
 * Which replica should hold which shard: rendezvous hashing with bounded loads, starting from what replicas hold.
 *
 *     members, count, holders → assignShards → the member of each shard
 *
 * Every replica computes this by itself. It decides only what a replica tries to hold; the leases decide what it holds. Hashing alone would
 * move shards between replicas that stay whenever the bounds change, and a shard that moves stands still while it is drained.
 */
import { hashText } from "./shard-layout.ts";

/**
 * Returns the member of each shard, by index; empty without members. `holders` are the members that hold shards now.
 *
 * Guarantees: depends only on the sets given. Numbers of shards per member differ by at most one. A member keeps the shards it holds as
 * long as that allows it; shards without a holder go to the member with the highest score that has room.
 */
export function assignShards(
  members: Iterable<string>,
  count: number,
  holders: ReadonlyMap<number, string> = new Map(),
): readonly string[] {
  const loads = new Loads([...new Set(members)].toSorted(), count, holders);
  if (loads.members.length === 0) return [];
  const assigned = Array.from<string | undefined>({ length: count });
  for (const { member, shard } of scoredPairs(loads.members, count)) {
    if (holders.get(shard) === member && loads.take(member)) assigned[shard] = member;
  }
  for (const { member, shard } of scoredPairs(loads.members, count)) {
    if (assigned[shard] === undefined && loads.take(member)) assigned[shard] = member;
  }
  return assigned.map((member) => member ?? "");
}

/** Counts the shards of each member, up to its bound: the smallest number for all, and one more for as many as the division leaves. */
class Loads {
  readonly members: readonly string[];
  readonly #loads = new Map<string, number>();
  readonly #least: number;
  /** Members that may have one more, because they hold more already. */
  readonly #more: ReadonlySet<string>;
  /** How many further members may have one more. */
  #left: number;

  constructor(members: readonly string[], count: number, holders: ReadonlyMap<number, string>) {
    this.members = members;
    this.#least = Math.floor(count / members.length);
    const held = new Map(members.map((member) => [member, 0]));
    for (const holder of holders.values()) if (held.has(holder)) held.set(holder, (held.get(holder) ?? 0) + 1);
    const heavy = members.filter((member) => (held.get(member) ?? 0) > this.#least);
    const extra = members.length === 0 ? 0 : count % members.length;
    this.#more = new Set(heavy.slice(0, extra));
    this.#left = extra - this.#more.size;
  }

  /** Adds a shard, if there is room. */
  take(member: string): boolean {
    const load = this.#loads.get(member) ?? 0;
    if (load > this.#least) return false;
    if (load === this.#least && !this.#more.has(member)) {
      if (this.#left === 0) return false;
      this.#left--;
    }
    this.#loads.set(member, load + 1);
    return true;
  }
}

interface ScoredPair {
  readonly member: string;
  readonly shard: number;
  readonly score: number;
}

/** All pairs, highest score first. The order is total: equal scores are ordered by shard and member. */
function scoredPairs(members: readonly string[], count: number): readonly ScoredPair[] {
  const pairs = members.flatMap((member) =>
    Array.from({ length: count }, (_, shard) => ({ member, shard, score: hashText(`${member}/${shard}`) })),
  );
  return pairs.toSorted((one, other) => other.score - one.score || one.shard - other.shard || (one.member < other.member ? -1 : 1));
}
