/**
 * Splits a stream of protobuf watch events, which have a four-byte length each.
 *
 *     chunks → MessageFrameSplitter → the bytes of complete frames, without their lengths
 */
import { LineError } from "../wire/lines.ts";
import type { LineOptions } from "../wire/lines.ts";

const lengthSize = 4;

/** Holds the unfinished frame between chunks. Guarantees: results do not depend on how the stream is cut into chunks. */
export class MessageFrameSplitter {
  readonly #maxLength: number;
  /** The unfinished frame with its length. */
  #kept: Uint8Array = new Uint8Array();
  #keptLength = 0;

  constructor({ maxLineLength = 16 * 1024 * 1024 }: LineOptions = {}) {
    this.#maxLength = maxLineLength;
  }

  /** Returns the frames that this chunk completes, valid until the next push: they may be parts of the chunk or of a reused buffer. */
  push(chunk: string | Uint8Array): Uint8Array[] {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    const frames: Uint8Array[] = [];
    let at = this.#complete(bytes, frames);
    while (bytes.length - at >= lengthSize) {
      const end = at + lengthSize + this.#lengthAt(bytes, at);
      if (end > bytes.length) break;
      frames.push(bytes.subarray(at + lengthSize, end));
      at = end;
    }
    if (at < bytes.length) this.#keep(bytes, at, bytes.length);
    return frames;
  }

  /** Returns the rest at the end of the stream: the start of a frame, or undefined. */
  end(): Uint8Array | undefined {
    const rest = this.#kept.subarray(0, this.#keptLength);
    this.#keptLength = 0;
    return rest.length === 0 ? undefined : rest;
  }

  /** Completes the unfinished frame, if there is one. Returns how many bytes of the chunk belong to it. */
  #complete(bytes: Uint8Array, frames: Uint8Array[]): number {
    if (this.#keptLength === 0) return 0;
    let at = 0;
    if (this.#keptLength < lengthSize) {
      at = Math.min(lengthSize - this.#keptLength, bytes.length);
      this.#keep(bytes, 0, at);
      if (this.#keptLength < lengthSize) return at;
    }
    const whole = lengthSize + this.#lengthAt(this.#kept, 0);
    const end = Math.min(bytes.length, at + whole - this.#keptLength);
    this.#keep(bytes, at, end);
    if (this.#keptLength < whole) return end;
    frames.push(this.#kept.subarray(lengthSize, whole));
    // The frame is read before the next push, so the next one needs memory of its own.
    this.#kept = new Uint8Array();
    this.#keptLength = 0;
    return end;
  }

  #lengthAt(bytes: Uint8Array, at: number): number {
    const length = new DataView(bytes.buffer, bytes.byteOffset + at, lengthSize).getUint32(0);
    if (length > this.#maxLength) throw new LineError("too long", `an event of the stream is longer than ${this.#maxLength} bytes`);
    return length;
  }

  /** Copies, because the producer may reuse its chunks. */
  #keep(bytes: Uint8Array, from: number, to: number): void {
    const length = this.#keptLength + to - from;
    if (length > this.#kept.length) {
      const larger = sameClass(bytes, Math.max(length, 2 * this.#kept.length, 1024));
      larger.set(this.#kept.subarray(0, this.#keptLength));
      this.#kept = larger;
    }
    this.#kept.set(bytes.subarray(from, to), this.#keptLength);
    this.#keptLength = length;
  }
}

/** An array of the same class as the chunks: Node's Buffer is decoded much faster. */
function sameClass(chunk: Uint8Array, length: number): Uint8Array {
  const { [Symbol.species]: Class = Uint8Array } = chunk.constructor as { readonly [Symbol.species]?: new (length: number) => Uint8Array };
  return new Class(length);
}
