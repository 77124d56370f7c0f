/**
 * Who held which shard when, and who wrote without holding it, from the commits of the server alone.
 *
 *     watches of Leases and ConfigMaps → Ownership.lease, write → findings
 *
 * All kinds share one counter of commits, so the newest write of a lease before a write tells who held the shard then.
 */

/** A committed write of the lease of a shard. */
export interface LeaseCommit {
  readonly commit: number;
  readonly shard: number;
  /** Empty after a release. */
  readonly holder: string;
  /** The time in the lease, in milliseconds since 1970; all processes share a clock. */
  readonly renewedMs: number;
}

/** A committed write of an object by a replica. */
export interface ObjectCommit {
  readonly commit: number;
  readonly key: string;
  readonly shard: number;
  readonly by: string;
}

export interface OwnershipFindings {
  readonly writes: number;
  readonly terms: number;
  /** Writes of a replica that did not hold the shard, as sentences. */
  readonly strayWrites: readonly string[];
  /** Objects that were written as part of two shards. */
  readonly movedKeys: readonly string[];
  /** The longest time from the last renewal of a holder that vanished to the next holder. */
  readonly takeoverMs: number;
  /** The longest time from a release to the next holder. */
  readonly handoverMs: number;
}

/** Collects commits, in any order between leases and objects. */
export class Ownership {
  readonly #leases: LeaseCommit[] = [];
  readonly #writes: ObjectCommit[] = [];

  lease(commit: LeaseCommit): void {
    this.#leases.push(commit);
  }

  write(commit: ObjectCommit): void {
    this.#writes.push(commit);
  }

  findings(): OwnershipFindings {
    const byShard = new Map<number, LeaseCommit[]>();
    for (const lease of this.#leases.toSorted((one, other) => one.commit - other.commit)) {
      const known = byShard.get(lease.shard);
      if (known === undefined) byShard.set(lease.shard, [lease]);
      else known.push(lease);
    }
    const gaps = [...byShard.values()].flatMap(gapsOf);
    const longest = (kind: Gap["kind"]): number => Math.max(0, ...gaps.filter((gap) => gap.kind === kind).map(({ ms }) => ms));
    return {
      writes: this.#writes.length,
      terms: [...byShard.values()].reduce((sum, leases) => sum + termsOf(leases), 0),
      strayWrites: this.#strayWrites(byShard),
      movedKeys: this.#movedKeys(),
      takeoverMs: longest("takeover"),
      handoverMs: longest("handover"),
    };
  }

  #strayWrites(byShard: ReadonlyMap<number, readonly LeaseCommit[]>): readonly string[] {
    return this.#writes.flatMap(({ commit, key, shard, by }) => {
      const holder = lastBefore(byShard.get(shard) ?? [], commit)?.holder ?? "";
      return holder === by ? [] : [`${by} wrote ${key} while ${holder === "" ? "nobody" : holder} held shard ${shard}`];
    });
  }

  #movedKeys(): readonly string[] {
    const shards = new Map<string, number>();
    return this.#writes.flatMap(({ key, shard }) => {
      const before = shards.get(key) ?? shard;
      shards.set(key, before);
      return before === shard ? [] : [key];
    });
  }
}

interface Gap {
  readonly kind: "takeover" | "handover";
  readonly ms: number;
}

/** @param leases - of one shard, in order */
function gapsOf(leases: readonly LeaseCommit[]): readonly Gap[] {
  return leases.flatMap((lease, index) => {
    const before = leases[index - 1];
    if (before === undefined || lease.holder === "" || before.holder === lease.holder) return [];
    return [{ kind: before.holder === "" ? "handover" : "takeover", ms: lease.renewedMs - before.renewedMs }];
  });
}

function termsOf(leases: readonly LeaseCommit[]): number {
  return leases.filter(({ holder }, index) => holder !== "" && holder !== leases[index - 1]?.holder).length;
}

/** Binary search: there are many writes. */
function lastBefore(leases: readonly LeaseCommit[], commit: number): LeaseCommit | undefined {
  let [low, high] = [0, leases.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((leases[middle]?.commit ?? Infinity) < commit) low = middle + 1;
    else high = middle;
  }
  return leases[low - 1];
}
