/**
 * Cuts undeclared fields out of the bytes of an object in JSON.
 *
 *     bytes → JsonProjection → smaller bytes; decoding them gives what keptFields gives of the whole object
 *
 * Why bytes and not objects: cutting takes a third of the time of decoding everything, and what is kept is decoded only if somebody reads.
 * Anything unusual (white space, escapes in keys) gives undefined, and the object must be decoded whole. What is skipped is not checked.
 */
import { ByteScratch } from "./byte-scratch.ts";
import type { FieldTree } from "./field-tree.ts";
import { skipKey, skipValue, startsWith } from "./json-skip.ts";

const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Lists directly in lists; no API has more than two. */
const listDepthMax = 16;

/** A member that is kept. */
interface KeptMember {
  readonly key: Uint8Array;
  /** Of its fields these; undefined for all. */
  readonly inner: readonly KeptMember[] | undefined;
}

/** A value whose position is known already: all of it is kept, without a part. */
export interface KnownValue {
  readonly from: number;
  readonly to: number;
  readonly cutFrom: number;
  readonly cutTo: number;
}

/** The declared fields of objects in JSON. Not reentrant. */
export class JsonProjection {
  readonly #members: readonly KeptMember[];
  readonly #scratch = new ByteScratch();
  #source: Uint8Array = none;
  #to = 0;
  #known: KnownValue | undefined;

  constructor(tree: FieldTree) {
    this.#members = membersOf(tree);
  }

  /**
   * Returns the object from `from` to `to` without undeclared fields, until the next call; undefined when something is unusual. The field
   * at `known` must be declared.
   */
  project(source: Uint8Array, from: number, to: number, known?: KnownValue): Uint8Array | undefined {
    this.#scratch.begin(to - from);
    this.#source = source;
    this.#to = to;
    this.#known = known;
    const end = source[from] === OPEN_OBJECT ? this.#object(from, this.#members) : -1;
    this.#source = none;
    return end === to ? this.#scratch.result() : undefined;
  }

  /** Returns the end of the object; -1 when something is unusual. */
  #object(open: number, members: readonly KeptMember[]): number {
    const source = this.#source;
    const scratch = this.#scratch;
    scratch.byte(OPEN_OBJECT);
    if (source[open + 1] === CLOSE_OBJECT) {
      scratch.byte(CLOSE_OBJECT);
      return open + 2;
    }
    let isFirst = true;
    for (let at = open + 1; ;) {
      const value = skipKey(source, at);
      if (value === -1 || value > this.#to) return -1;
      const member = memberAt(source, at + 1, value - at - 3, members);
      let end: number;
      if (member === undefined) end = skipValue(source, value);
      else {
        if (!isFirst) scratch.byte(COMMA);
        isFirst = false;
        scratch.copy(source, at, value);
        end = member.inner === undefined ? this.#whole(value) : this.#value(value, member.inner, 0);
      }
      if (end === -1) return -1;
      const code = source[end];
      if (code === CLOSE_OBJECT) {
        scratch.byte(CLOSE_OBJECT);
        return end + 1;
      }
      if (code !== COMMA) return -1;
      at = end + 1;
    }
  }

  #value(at: number, members: readonly KeptMember[], depth: number): number {
    const first = this.#source[at];
    if (first === OPEN_OBJECT) return this.#object(at, members);
    return first === OPEN_LIST ? this.#list(at, members, depth) : this.#whole(at);
  }

  #list(open: number, members: readonly KeptMember[], depth: number): number {
    const source = this.#source;
    const scratch = this.#scratch;
    if (depth === listDepthMax) return -1;
    scratch.byte(OPEN_LIST);
    if (source[open + 1] === CLOSE_LIST) {
      scratch.byte(CLOSE_LIST);
      return open + 2;
    }
    for (let at = open + 1; ;) {
      const end = this.#value(at, members, depth + 1);
      if (end === -1) return -1;
      const code = source[end];
      if (code !== COMMA && code !== CLOSE_LIST) return -1;
      scratch.byte(code);
      if (code === CLOSE_LIST) return end + 1;
      at = end + 1;
    }
  }

  #whole(at: number): number {
    const source = this.#source;
    const known = this.#known;
    if (known?.from === at) {
      this.#scratch.copy(source, at, known.cutFrom === known.cutTo ? known.to : known.cutFrom);
      if (known.cutFrom < known.cutTo) this.#scratch.copy(source, known.cutTo, known.to);
      return known.to;
    }
    const end = skipValue(source, at);
    if (end === -1 || end > this.#to) return -1;
    this.#scratch.copy(source, at, end);
    return end;
  }
}

const none = new Uint8Array(0);

function membersOf(tree: FieldTree): readonly KeptMember[] {
  const encoder = new TextEncoder();
  return [...tree].map(([name, inner]) => ({ key: encoder.encode(name), inner: inner === "whole" ? undefined : membersOf(inner) }));
}

/** Returns the member whose key of `length` bytes is at `at`. */
function memberAt(source: Uint8Array, at: number, length: number, members: readonly KeptMember[]): KeptMember | undefined {
  for (const member of members) if (member.key.length === length && startsWith(source, member.key, at)) return member;
  return undefined;
}
