/**
 * Identifies the object of a watch event without parsing all of it.
 *
 *     line → peekWatchEvent → its type, and of its object what peeked-object.ts finds
 *
 * Assumes that nothing follows the object in the line, as Kubernetes writes events: `{"type":"ADDED","object":{…}}`.
 */
import { startsWith } from "../json/json-skip.ts";
import { peekObject } from "./peeked-object.ts";
import type { PeekedObject, PeekOptions } from "./peeked-object.ts";

export interface PeekedEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: PeekedObject;
}

const head = (type: PeekedEvent["type"]): Uint8Array => new TextEncoder().encode(`{"type":"${type}","object":{`);
const heads: readonly (readonly [PeekedEvent["type"], Uint8Array])[] = [
  ["MODIFIED", head("MODIFIED")],
  ["ADDED", head("ADDED")],
  ["DELETED", head("DELETED")],
];

/** Returns type and identity of an event. Undefined for bookmarks, errors and anything unusual: parse these with `decodeWatchEvent`. */
export function peekWatchEvent(line: Uint8Array, options?: PeekOptions): PeekedEvent | undefined {
  for (const [type, bytes] of heads) {
    if (!startsWith(line, bytes, 0)) continue;
    const object = line.at(-1) === 0x7d ? peekObject(line, bytes.length - 1, line.length - 1, options) : undefined;
    return object === undefined ? undefined : { type, object };
  }
  return undefined;
}
