/** Walks through the fields of a message by skipping lengths. Decodes nothing, and gives up on anything unusual instead of throwing. */
import { bytesType, fixed32Type, fixed64Type, varintType } from "./wire-type.ts";

/** A position in a message. Small numbers only: what does not fit is unusual. */
export class MessageCursor {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  at: number;

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#bytes = bytes;
    this.at = from;
    this.#end = to;
  }

  /** Reads a number of at most 28 bits; -1 if it is larger or not there. */
  #number(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      if (this.at >= this.#end) return -1;
      const byte = this.#bytes[this.at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  }

  /** Reads a tag; 0 if there is none. */
  tag(): number {
    return Math.max(0, this.#number());
  }

  /** Reads a length, and returns where its bytes end; -1 if that is beyond the message. */
  enter(): number {
    return this.enterWithin(this.#end);
  }

  enterWithin(end: number): number {
    const size = this.#number();
    return size === -1 || size > end - this.at ? -1 : this.at + size;
  }

  /** Skips a value that must end before `end`. */
  skip(type: number, end: number): boolean {
    if (type === bytesType) {
      const to = this.enterWithin(end);
      if (to === -1) return false;
      this.at = to;
      return true;
    }
    if (type === varintType) {
      for (let count = 0; count < 10 && this.at < end; count++) if ((this.#bytes[this.at++] as number) < 0x80) return true;
      return false;
    }
    this.at += type === fixed64Type ? 8 : type === fixed32Type ? 4 : Infinity;
    return this.at <= end;
  }
}

/** Returns the number of bytes of a length. */
export const varintBytes = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
