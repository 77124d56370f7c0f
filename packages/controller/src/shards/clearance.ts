/**
 * What a list of leases proves about the caches of the other replicas: pure.
 *
 *     our publication, then a list: holders of shards and their publications → clearance → KeyMoves
 *
 * A key whose label moved it into one of our shards at version v may start when every other holder of a shard has published that it has
 * seen v and has ended its work on the key. A replica that acquires a shard after that list sees our own publication, and waits until it
 * has seen v too: so ours must be stored before the list is sent.
 */
import { newer, older, reaches } from "./seen-record.ts";
import type { SeenBook } from "./seen-record.ts";

/** For one controller. */
export interface Clearance {
  /** Number of the list; see `SeenBoard`. */
  readonly list: number;
  /** Every other holder of a shard has seen this version, now and in the future; empty if that is not known of any. */
  readonly upTo: string;
  /** Hashes of keys that have moved, and on which another replica still works. */
  readonly busy: ReadonlySet<string>;
  /** Every other replica that is alive has seen this version; empty if that is not known. */
  readonly seenByAll: string;
  /** Version that our cache must have reached before work on an acquired shard starts: others may already depend on it. */
  readonly needed: string;
}

export interface ClearanceInput {
  readonly controller: string;
  readonly list: number;
  /** What we had published when the list was sent; undefined if nothing. */
  readonly own: SeenBook | undefined;
  /** Publications of the other replicas that hold a shard, by any name; undefined for one that has published nothing. */
  readonly holders: Iterable<SeenBook | undefined>;
  /** The same of the other replicas that are alive, with or without a shard. */
  readonly members: Iterable<SeenBook | undefined>;
  /** Publications of all other replicas, also of those that have ended. */
  readonly others: Iterable<SeenBook>;
}

/** Draws the conclusion for one controller. */
export function clearanceOf({ controller, list, own, holders, members, others }: ClearanceInput): Clearance {
  const record = own?.records.get(controller);
  let upTo = record?.basis ?? "";
  let needed = "";
  const busy = new Set<string>();
  for (const book of holders) {
    const { seen = "", busy: keys = [] } = book?.records.get(controller) ?? {};
    upTo = older(upTo, seen);
    for (const hash of keys) busy.add(hash);
  }
  let seenByAll = record?.seen ?? "";
  for (const book of members) seenByAll = older(seenByAll, book?.records.get(controller)?.seen ?? "");
  for (const { records } of others) needed = newer(records.get(controller)?.basis ?? "", needed);
  return { list, upTo, busy, seenByAll, needed };
}

/** What holds before the first list: nothing. */
export const noClearance: Clearance = { list: 0, upTo: "", busy: new Set(), seenByAll: "", needed: "" };

/** Reports whether a clearance covers a version. */
export const covers = ({ upTo }: Clearance, version: string): boolean => reaches(upTo, version);
