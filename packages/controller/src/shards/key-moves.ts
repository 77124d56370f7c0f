/**
 * Remembers which keys of a controller have moved to another shard lately, and says which may start: pure, without a clock.
 *
 *     steps of the cache → moved, replaced;   a list of leases → settle(clearance);   a key is due → mayStart
 *
 * Only moves that the other replicas may not have seen are remembered. A key that is not remembered has not moved since the version that
 * all holders of shards have reached. Over the limit, all keys wait for the newest version instead.
 */
import { budget } from "@drover/machinery";
import type { Budget, ObjectKey } from "@drover/machinery";
import { covers, noClearance } from "./clearance.ts";
import type { Clearance } from "./clearance.ts";
import { newer, reaches } from "./seen-record.ts";
import type { SeenRecord } from "./seen-record.ts";
import { hashText } from "./shard-layout.ts";

export const movedKeys: Budget = budget({
  name: "controller/moved-keys",
  limit: 20_000,
  unit: "items",
  atLimit: "No key of the controller starts until all replicas that hold a shard have seen the newest move; then it goes on as before.",
  uncounted: "Nothing is refused or lost, keys only wait.",
});

/** How a key is named in `SeenRecord.busy`. Two keys of one name only wait for each other. */
export const busyName = (key: ObjectKey): string => hashText(key).toString(36);

export interface KeyMovesOptions {
  /** @default the budget */
  readonly limit?: number;
}

/** Where a key is, by the cache. */
export interface KeyPlace {
  readonly shard: number;
  /** Whether the cache has the object. */
  readonly isPresent: boolean;
}

/** Guarantees: `mayStart` is true only if no other holder of a shard can have, or get, a reason to work on the key. */
export class KeyMoves {
  readonly #limit: number;
  /** Version of the last move, by key. */
  readonly #moved = new Map<ObjectKey, string>();
  /** What every key waits for. */
  #floor = "";
  /** What keys without an object wait for: a list does not show when they were deleted. */
  #absentFloor = "";
  #isAbsentWanted = false;
  /** What the keys of an acquired shard wait for, and the first list that counts. */
  readonly #floors = new Map<number, { readonly version: string; readonly list: number }>();
  /** Newest version of an object that was seen. Other than that of a bookmark, every other cache gets to see it too. */
  #evidence = "";
  #basis = "";
  #clearance: Clearance = noClearance;

  constructor({ limit = movedKeys.limit }: KeyMovesOptions = {}) {
    this.#limit = limit;
  }

  /** Number of remembered keys. */
  get size(): number {
    return this.#moved.size;
  }

  /** Whether an acquired shard has to wait. */
  get isSettling(): boolean {
    return this.#floors.size > 0;
  }

  /** A version was seen that moved no key. */
  saw(version: string): void {
    this.#evidence = newer(this.#evidence, version);
  }

  /** The key is in another shard since this version. */
  moved(key: ObjectKey, version: string): void {
    this.saw(version);
    if (this.#moved.size >= this.#limit && !this.#moved.has(key)) {
      this.#moved.clear();
      this.#floor = this.#evidence;
    } else this.#moved.set(key, version);
  }

  /** Keys may have been deleted up to this version, without a version of their own. */
  removed(version: string): void {
    this.#absentFloor = newer(this.#absentFloor, version);
  }

  /** A shard was acquired; `list` is the number of the first list that is sent after that. */
  acquired(shard: number, list: number): void {
    this.#floors.set(shard, { version: this.#evidence, list });
  }

  released(shard: number): void {
    this.#floors.delete(shard);
  }

  /** Returns what to publish, for a cache that has everything up to `known`. */
  read(known: string, busy: readonly string[]): SeenRecord {
    return { seen: known, basis: newer(this.#evidence, this.#basis), busy };
  }

  /** Records what a list has proved, with a cache that has everything up to `known`. */
  settle(clearance: Clearance, known: string): void {
    this.#clearance = clearance;
    // From then on, replicas that acquire a shard wait until they have seen it. On a quiet kind that takes a bookmark, so only if a key
    // waits for it, and all that are alive have seen it already.
    if (this.#isAbsentWanted && reaches(clearance.seenByAll, this.#absentFloor)) this.#basis = newer(this.#basis, this.#absentFloor);
    for (const [key, version] of this.#moved) if (covers(clearance, version)) this.#moved.delete(key);
    if (covers(clearance, this.#floor)) this.#floor = "";
    if (covers(clearance, this.#absentFloor)) {
      this.#absentFloor = "";
      this.#isAbsentWanted = false;
    }
    if (!reaches(known, clearance.needed)) return;
    for (const [shard, { version, list }] of this.#floors)
      if (clearance.list >= list && covers(clearance, version)) this.#floors.delete(shard);
  }

  /** Whether a run of the key may start, as far as other replicas are concerned. */
  mayStart(key: ObjectKey, { shard, isPresent }: KeyPlace): boolean {
    if (!isPresent && this.#absentFloor !== "") {
      this.#isAbsentWanted = true;
      return false;
    }
    return !this.#floors.has(shard) && this.#floor === "" && !this.#moved.has(key) && !this.#clearance.busy.has(busyName(key));
  }

  /** Returns an independent copy, for models. */
  copy(): KeyMoves {
    const copy = new KeyMoves({ limit: this.#limit });
    for (const [key, version] of this.#moved) copy.#moved.set(key, version);
    for (const [shard, floor] of this.#floors) copy.#floors.set(shard, floor);
    copy.#floor = this.#floor;
    copy.#absentFloor = this.#absentFloor;
    copy.#isAbsentWanted = this.#isAbsentWanted;
    copy.#evidence = this.#evidence;
    copy.#basis = this.#basis;
    copy.#clearance = this.#clearance;
    return copy;
  }

  /** Everything that decides the future, for models. @param nextList - number of the next list */
  state(nextList: number): unknown {
    const { upTo, busy, needed, seenByAll } = this.#clearance;
    const floors = Array.from(this.#floors, ([shard, { version, list }]) => [shard, version, list >= nextList]);
    const absent = [this.#absentFloor, this.#isAbsentWanted, seenByAll];
    return [absent, [...this.#moved], floors, this.#floor, this.#evidence, this.#basis, upTo, needed, [...busy]];
  }
}
