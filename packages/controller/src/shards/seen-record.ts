/**
 * What a replica publishes about the cache of each controller, in the annotation of a lease of its own: shards by label depend on it.
 *
 *     LabelKeys.read → SeenRecord → printSeen → annotation → parseSeen → clearance
 */
import { compareResourceVersions, isJsonObject, isComparableResourceVersion } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";

/** Annotation of the lease with role "seen". */
export const seenAnnotation = "drover.dev/seen";

/** How far one controller of one replica has come. Versions are empty if there is none yet. */
export interface SeenRecord {
  /** The cache has everything up to this version, and no work depends on an older state, except that of `busy`. */
  readonly seen: string;
  /** Work of this replica may depend on objects up to this version; a replica that acquires a shard must have seen it. */
  readonly basis: string;
  /** Hashes of keys that have moved, and whose runs or writes have not ended. */
  readonly busy: readonly string[];
}

/** Records of all controllers of a replica, and the number of the publication. */
export interface SeenBook {
  readonly number: number;
  readonly records: ReadonlyMap<string, SeenRecord>;
}

/** Returns the text of the annotation. */
export function printSeen({ number, records }: SeenBook): string {
  return JSON.stringify({ number, controllers: Object.fromEntries(records) });
}

/** Reads an annotation; undefined if it is missing or nothing that `printSeen` writes: then its replica has published nothing. */
export function parseSeen(text: string | undefined): SeenBook | undefined {
  const value = parsed(text);
  if (!isJsonObject(value)) return undefined;
  const { number, controllers } = value;
  if (typeof number !== "number" || !isJsonObject(controllers)) return undefined;
  const records = new Map<string, SeenRecord>();
  for (const [controller, record] of Object.entries(controllers)) {
    if (!isJsonObject(record)) return undefined;
    const { seen, basis, busy } = record;
    if (!isVersion(seen) || !isVersion(basis) || !Array.isArray(busy)) return undefined;
    records.set(controller, { seen, basis, busy: busy.map(String) });
  }
  return { number, records };
}

function parsed(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

const isVersion = (value: unknown): value is string => typeof value === "string" && (value === "" || isComparableResourceVersion(value));

/** Reports whether a version is at least `target`. The empty target is reached by every version, and an opaque version reaches none. */
export function reaches(version: string, target: string): boolean {
  if (target === "") return true;
  const order = compareResourceVersions(version, target);
  return order === 0 || order === 1;
}

/** Returns the newer version. */
export const newer = (one: string, other: string): string => (reaches(one, other) ? one : other);

/** Returns the older version; empty if one is. */
export const older = (one: string, other: string): string => (reaches(one, other) ? other : one);
