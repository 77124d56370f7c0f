/**
 * Splits a stream into lines without decoding it, for callers that keep bytes and decode few of them.
 *
 *     chunks → ByteLineSplitter → the bytes of complete lines, without their "\n"
 *
 * Finds the same lines as lines.ts, but does not check that they are UTF-8.
 */
import { LineError } from "./lines.ts";
import type { LineOptions } from "./lines.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Larger buffers are not kept for the next line. */
const keptMax = 1024 * 1024;

/** Holds the unfinished line between chunks. Guarantees: results do not depend on how the stream is cut into chunks. */
export class ByteLineSplitter {
  readonly #maxLineLength: number;
  // Buffers of the unfinished line and of the one before it, which was returned and may be read until the next push. They alternate
  // while the stream lasts, because an array per line costs more than the line.
  #memory: Uint8Array = new Uint8Array(0);
  #handedOut: Uint8Array = this.#memory;
  #length = 0;

  constructor({ maxLineLength = 16 * 1024 * 1024 }: LineOptions = {}) {
    this.#maxLineLength = maxLineLength;
  }

  /** Returns the lines that this chunk completes, valid until the next push: they may be parts of the chunk or of a reused buffer. */
  push(chunk: string | Uint8Array): Uint8Array[] {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const line = this.#finish(bytes, start, end);
      if (line.length > 0) lines.push(line);
      start = end + 1;
    }
    if (start < bytes.length) this.#keep(bytes, start, bytes.length);
    return lines;
  }

  /** Returns the rest at the end of the stream: the start of a line without its "\n", or undefined. */
  end(): Uint8Array | undefined {
    const rest = this.#take();
    return rest.length === 0 ? undefined : rest;
  }

  #finish(bytes: Uint8Array, from: number, to: number): Uint8Array {
    if (this.#length > 0) {
      if (from < to) this.#keep(bytes, from, to);
      return this.#take();
    }
    this.#check(to - from);
    return withoutReturn(bytes.subarray(from, to));
  }

  /** Copies, because the producer may reuse its chunks. */
  #keep(bytes: Uint8Array, from: number, to: number): void {
    const length = this.#length + to - from;
    this.#check(length);
    if (length > this.#memory.length) {
      const larger = sameClass(bytes, Math.max(length, 2 * this.#memory.length));
      larger.set(this.#memory.subarray(0, this.#length));
      this.#memory = larger;
    }
    this.#memory.set(bytes.subarray(from, to), this.#length);
    this.#length = length;
  }

  #check(length: number): void {
    if (length > this.#maxLineLength) throw new LineError("too long", `a line of the stream is longer than ${this.#maxLineLength} bytes`);
  }

  #take(): Uint8Array {
    const memory = this.#memory;
    const line = memory.subarray(0, this.#length);
    this.#memory = this.#handedOut;
    this.#handedOut = memory.length > keptMax ? new Uint8Array(0) : memory;
    this.#length = 0;
    return withoutReturn(line);
  }
}

const withoutReturn = (line: Uint8Array): Uint8Array => (line[line.length - 1] === RETURN ? line.subarray(0, -1) : line);

/** An array of the same class as the chunks: Node's Buffer is searched and decoded much faster. */
function sameClass(chunk: Uint8Array, length: number): Uint8Array {
  const { [Symbol.species]: Class = Uint8Array } = chunk.constructor as { readonly [Symbol.species]?: new (length: number) => Uint8Array };
  return new Class(length);
}
