/**
 * Cuts undeclared fields out of a message, by number and without knowing its type.
 *
 *     bytes → MessageProjection → smaller bytes; a reader of the declared fields decodes the same from them
 *
 * Why bytes and not objects: a field is skipped by its length, so that cutting costs less than copying the whole message; and most objects
 * are never read. Anything unusual (a group, a number of more than 28 bits, a length beyond the message) gives undefined, and the
 * message must be decoded whole. What is skipped is not checked.
 */
import { ByteScratch } from "../json/byte-scratch.ts";
import { MessageCursor, varintBytes } from "./message-cursor.ts";
import { bytesType } from "./wire-type.ts";

/** By the number of a field what is kept of it: all, or some fields of the message in it; undefined for nothing. */
export type MessageFields = readonly (MessageFields | "whole" | undefined)[];

/** The declared fields of messages. Not reentrant. */
export class MessageProjection {
  readonly #fields: MessageFields;
  readonly #scratch = new ByteScratch();

  constructor(fields: MessageFields) {
    this.#fields = fields;
  }

  /** Returns the fields from `from` to `to` that are declared, until the next call; undefined when something is unusual. */
  project(source: Uint8Array, from: number, to: number): Uint8Array | undefined {
    this.#scratch.begin(to - from);
    return this.#message(new MessageCursor(source, from, to), source, to, this.#fields) ? this.#scratch.result() : undefined;
  }

  #message(cursor: MessageCursor, source: Uint8Array, to: number, fields: MessageFields): boolean {
    while (cursor.at < to) {
      const start = cursor.at;
      const tag = cursor.tag();
      const field = fields[tag >>> 3];
      if (tag < 8) return false;
      if (typeof field === "object") {
        const tagEnd = cursor.at;
        const end = (tag & 7) === bytesType ? cursor.enterWithin(to) : -1;
        if (end === -1) return false;
        this.#scratch.copy(source, start, tagEnd);
        if (!this.#nested(cursor, source, end, field)) return false;
      } else {
        if (!cursor.skip(tag & 7, to)) return false;
        if (field === "whole") this.#scratch.copy(source, start, cursor.at);
      }
    }
    return cursor.at === to;
  }

  /** Writes a length and the fields behind it. */
  #nested(cursor: MessageCursor, source: Uint8Array, end: number, fields: MessageFields): boolean {
    const scratch = this.#scratch;
    const at = scratch.length;
    scratch.byte(0);
    if (!this.#message(cursor, source, end, fields)) return false;
    let length = scratch.length - at - 1;
    const size = varintBytes(length);
    if (size > 1) scratch.insert(at, size - 1);
    for (let index = 0; index < size; index++) {
      scratch.set(at + index, index === size - 1 ? length : (length & 0x7f) | 0x80);
      length >>>= 7;
    }
    return true;
  }
}
