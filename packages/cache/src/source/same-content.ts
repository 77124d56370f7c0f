/**
 * Compares the content of two versions of one object without keeping either parsed. Needed where equal resource versions do not prove
 * equal content: after a restore from a backup the server counts the same versions again.
 */
import { jsonEqual } from "@drover/machinery";
import { contentDigest, encodedObject } from "./content-digest.ts";
import type { ObjectVersion } from "./object-version.ts";
import { isPoisonObjectError } from "./poison-object-error.ts";
import { afterTypeMeta } from "./type-meta-bytes.ts";

/** Reports whether two versions have equal objects. An object that cannot be decoded equals only the same bytes. */
export function sameContent(a: ObjectVersion, b: ObjectVersion): boolean {
  if (a === b) return true;
  // Without its body, a version has only the digest of its content.
  if (a.digest !== undefined || b.digest !== undefined) return digestOf(a) === digestOf(b);
  const [left, right] = [a.encoded, b.encoded];
  if (left !== undefined && right !== undefined && sameBytes(left, right)) return true;
  try {
    return jsonEqual(a.decoded?.() ?? a.object, b.decoded?.() ?? b.object);
  } catch (error) {
    if (!isPoisonObjectError(error)) throw error;
    return false;
  }
}

const digestOf = (version: ObjectVersion): number => version.digest ?? contentDigest(encodedObject(version));

/** Compares bytes; of JSON except for a leading kind and apiVersion, which watch events have and list items lack. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let [left, right] = [a.length === b.length ? 0 : afterTypeMeta(a), a.length === b.length ? 0 : afterTypeMeta(b)];
  if (a.length - left !== b.length - right) return false;
  while (left < a.length) if (a[left++] !== b[right++]) return false;
  return true;
}
