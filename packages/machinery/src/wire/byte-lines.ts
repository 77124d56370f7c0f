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

/** Holds the unfinished line between chunks. Guarantees that what `push` and `end` return is the same for every way of cutting the stream. */
export class ByteLineSplitter {
  readonly #maxLineLength: number;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor({ maxLineLength = 16 * 1024 * 1024 }: LineOptions = {}) {
    this.#maxLineLength = maxLineLength;
  }

  /** The lines that this chunk completes. They may be parts of the chunk: keeping one keeps it. */
  push(chunk: string | Uint8Array): Uint8Array[] {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      this.#add(bytes.subarray(start, end));
      const line = this.#take();
      if (line.length > 0) lines.push(line);
      start = end + 1;
    }
    // A copy, because whoever fills chunks may use them again.
    if (start < bytes.length) this.#add(new Uint8Array(bytes.subarray(start)));
    return lines;
  }

  /** What is left when the stream has ended: the beginning of a line whose "\n" never came, or undefined. */
  end(): Uint8Array | undefined {
    const rest = this.#take();
    return rest.length === 0 ? undefined : rest;
  }

  #add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length > this.#maxLineLength) throw new LineError("too long", `a line of the stream is longer than ${this.#maxLineLength} bytes`);
    this.#parts.push(part);
  }

  #take(): Uint8Array {
    const line = this.#parts.length === 1 ? (this.#parts[0] ?? new Uint8Array(0)) : joined(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
