/**
 * What an answer of the server means for a read of an evicted body. Pure.
 *
 *     what the cache knew, what it knows now, the answer → judgeRead → ReadVerdict
 */
import { compareResourceVersions } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";

/** An object as far as a read needs it. */
export type ReadIdentity = Pick<ObjectVersion, "uid" | "resourceVersion">;

export interface ReadEvidence {
  /** What the cache had stored when the request was sent. */
  readonly known: ReadIdentity;
  /** What it has stored now: the same value, unless the watch or a list has replaced it. */
  readonly now: ReadIdentity | undefined;
  /** Undefined if the server has no such object. */
  readonly answer: ReadIdentity | undefined;
  /** Whether the newest state was requested, not one that the server had cached. */
  readonly isNewest: boolean;
  /** Whether the content of the answer is that of the cache, as far as its digest tells. */
  readonly isSameContent: boolean;
}

/**
 *  - "keep": the object at the version that the cache knows; return and cache it.
 *  - "pass": a newer version, which the watch will deliver, or other content of the same version, from a server that was restored from a
 *    backup; return it, and do not cache it: nothing would replace it if the watch is late.
 *  - "gone": the object that the cache lists no longer exists, or another one of the same name replaced it.
 *  - "again": the cache has moved meanwhile, or the answer must be confirmed by the newest state.
 *  - "stale": an answer older than the cache.
 */
export type ReadVerdict = "keep" | "pass" | "gone" | "again" | "stale";

export function judgeRead({ known, now, answer, isNewest, isSameContent }: ReadEvidence): ReadVerdict {
  // An answer to an earlier question: what is stored now may be of another object, or of a server restored from a backup.
  if (now !== known) return "again";
  const confirmed = <V extends ReadVerdict>(verdict: V): V | "again" => (isNewest ? verdict : "again");
  if (answer === undefined) return confirmed("gone");
  const order = compareResourceVersions(answer.resourceVersion, known.resourceVersion);
  if (order === -1) return "stale";
  if (answer.uid !== known.uid) return confirmed("gone");
  if (answer.resourceVersion === known.resourceVersion) return isSameContent ? "keep" : confirmed("pass");
  // Opaque versions cannot be compared, but the newest state is not older than anything.
  return order === 1 ? "pass" : confirmed("pass");
}
