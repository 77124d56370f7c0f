/**
 * Cuts a stream into lines without decoding it: for whoever keeps bytes as they are and reads few of them.
 *
 *     chunks → ByteLineSplitter → the bytes of whole lines, without their "\n"
 *
 * The same lines as lines.ts finds, except that nobody has looked whether they are UTF-8.
 */
import { LineError } from "./lines.ts";
import type { LineOptions } from "./lines.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Memory for unfinished lines that is larger than this is not kept for the next one. */
const keptMax = 1024 * 1024;

/**
 * Holds the unfinished line between chunks. Guarantees that what `push` and `end` return is the same for every way of
 * cutting the stream.
 */
export class ByteLineSplitter {
  readonly #maxLineLength: number;
  // Where the unfinished line is put together, and where the one before it was: that one has been handed out, and may be looked at until
  // the next push. Used in turns for as long as the stream lasts, because an array for each line costs more than the line.
  #memory: Uint8Array = new Uint8Array(0);
  #handedOut: Uint8Array = this.#memory;
  #length = 0;

  constructor({ maxLineLength = 16 * 1024 * 1024 }: LineOptions = {}) {
    this.#maxLineLength = maxLineLength;
  }

  /** The lines that this chunk completes, good until the next push: they may be parts of the chunk, or of memory that is used again. */
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

  /** What is left when the stream has ended: the beginning of a line whose "\n" never came, or undefined. */
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

  /** Copies, because whoever fills chunks may use them again. */
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

/** An array of the class that the chunks have: Node's own is searched, and turned into text, in a fraction of the time. */
function sameClass(chunk: Uint8Array, length: number): Uint8Array {
  const { [Symbol.species]: Class = Uint8Array } = chunk.constructor as { readonly [Symbol.species]?: new (length: number) => Uint8Array };
  return new Class(length);
}
