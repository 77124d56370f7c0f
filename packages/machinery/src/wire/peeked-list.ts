/**
 * Finds the items of a list in its bytes, without parsing them.
 *
 *     bytes → peekList → the list without its items, and the bounds of each item
 */
import { skipKey, skipValue, startsWith } from "../json/json-skip.ts";

export interface PeekedList {
  /** The list as JSON, without its items. */
  readonly envelope: Uint8Array;
  /** Start and end of each item in the bytes: from, to, from, to … */
  readonly bounds: readonly number[];
}

const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const itemsKey = new TextEncoder().encode("items");

/**
 * Finds the items of a list. Undefined when it has no items or something is unusual (white space, two lists of items): then parse
 * all of it.
 */
export function peekList(bytes: Uint8Array): PeekedList | undefined {
  if (bytes[0] !== OPEN_OBJECT) return undefined;
  let bounds: number[] | undefined;
  let open = 0;
  let close = 0;
  for (let at = 1; ;) {
    const value = skipKey(bytes, at);
    if (value === -1) return undefined;
    const isItems = value - at === 8 && startsWith(bytes, itemsKey, at + 1);
    if (isItems) {
      if (bounds !== undefined || bytes[value] !== OPEN_LIST) return undefined;
      bounds = itemBounds(bytes, value);
      open = value;
      close = bounds === undefined ? -1 : (bounds.pop() ?? -1);
    }
    const end = isItems ? close : skipValue(bytes, value);
    if (end === -1) return undefined;
    const next = bytes[end];
    at = end + 1;
    if (next === COMMA) continue;
    const isEnd = next === CLOSE_OBJECT && (at === bytes.length || (at === bytes.length - 1 && bytes[at] === 0x0a));
    return isEnd && bounds !== undefined ? { envelope: without(bytes, open + 1, close - 1), bounds } : undefined;
  }
}

/** Returns the bounds of the items, and last the end of the list; undefined when something is unusual. */
function itemBounds(bytes: Uint8Array, open: number): number[] | undefined {
  const bounds: number[] = [];
  if (bytes[open + 1] === CLOSE_LIST) return [open + 2];
  for (let at = open + 1; bytes[at] === OPEN_OBJECT;) {
    const end = skipValue(bytes, at);
    if (end === -1) return undefined;
    bounds.push(at, end);
    at = end + 1;
    const next = bytes[end];
    if (next === CLOSE_LIST) {
      bounds.push(at);
      return bounds;
    }
    if (next !== COMMA) return undefined;
  }
  return undefined;
}

function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const rest = new Uint8Array(bytes.length - (to - from));
  rest.set(bytes.subarray(0, from));
  rest.set(bytes.subarray(to), from);
  return rest;
}
