/**
 * Compares the content of two versions of one object without keeping either parsed. Needed where equal resource versions do not prove
 * equal content: after a restore from a backup the server counts the same versions again.
 */
import { jsonEqual } from "@drover/machinery";
import type { ObjectVersion } from "./object-version.ts";
import { isPoisonObjectError } from "./poison-object-error.ts";

/** Reports whether two versions have equal objects. An object that cannot be decoded equals only the same bytes. */
export function sameContent(a: ObjectVersion, b: ObjectVersion): boolean {
  if (a === b) return true;
  const [left, right] = [a.encoded, b.encoded];
  if (left !== undefined && right !== undefined && sameBytes(left, right)) return true;
  try {
    return jsonEqual(a.decoded?.() ?? a.object, b.decoded?.() ?? b.object);
  } catch (error) {
    if (!isPoisonObjectError(error)) throw error;
    return false;
  }
}

/** Compares bytes; of JSON except for a leading kind and apiVersion, which watch events have and list items lack. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let [left, right] = [a.length === b.length ? 0 : afterTypeMeta(a), a.length === b.length ? 0 : afterTypeMeta(b)];
  if (a.length - left !== b.length - right) return false;
  while (left < a.length) if (a[left++] !== b[right++]) return false;
  return true;
}

/** Both members, of realistic length. */
const typeMetaBytesMax = 512;
const typeMeta = /^\{(?:"(?:kind|apiVersion)":"[^"\\]*",){0,2}/;

/** Returns the position after `{"kind":"…","apiVersion":"…",`, or after the brace. */
function afterTypeMeta(bytes: Uint8Array): number {
  const head = bytes.subarray(0, typeMetaBytesMax);
  // One character per byte, so that positions in the text are positions in the bytes.
  return typeMeta.exec(String.fromCharCode(...head))?.[0].length ?? 0;
}
