/**
 * Splits a stream into lines: one watch event, or one log line, each. Correct wherever the chunks are cut, also within a character.
 *
 *     chunks of text or bytes → LineSplitter → complete lines, without their "\n"
 *
 * Lines end with "\n" (a "\r" before it is removed too). Skips empty lines, which have no meaning in JSON streams.
 */

export interface LineOptions {
  /** Maximum characters of a line: client-go's limit for one watch event. @default 16 * 1024 * 1024 */
  readonly maxLineLength?: number;
}

/** Thrown when a line is too long or bytes are not UTF-8; the stream cannot continue. */
export class LineError extends Error {
  override readonly name: string = "LineError";
  readonly reason: "too long" | "encoding";

  constructor(reason: "too long" | "encoding", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Holds the unfinished line between chunks. Guarantees: results do not depend on how the stream is cut into chunks. */
export class LineSplitter {
  readonly #maxLineLength: number;
  // Bytes of an incomplete character.
  #bytes = new Uint8Array(0);
  // Parts of the unfinished line, joined once at its end, so that many small chunks do not take quadratic time.
  #parts: string[] = [];
  #length = 0;

  constructor({ maxLineLength = 16 * 1024 * 1024 }: LineOptions = {}) {
    this.#maxLineLength = maxLineLength;
  }

  /** Returns the lines that this chunk completes. A chunk that is one complete line is returned as it is. */
  push(chunk: string | Uint8Array): string[] {
    const text = typeof chunk === "string" ? this.#wholeText(chunk) : this.#decode(chunk);
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#add(text.slice(start, end));
      const line = this.#take();
      if (line !== "") lines.push(line);
      start = end + 1;
    }
    if (start < text.length) this.#add(text.slice(start));
    return lines;
  }

  /** Returns the rest at the end of the stream: the start of a line without its "\n", or undefined. */
  end(): string | undefined {
    this.#wholeText("");
    const rest = this.#take();
    return rest === "" ? undefined : rest;
  }

  #add(part: string): void {
    if (part === "") return;
    this.#length += part.length;
    if (this.#length > this.#maxLineLength)
      throw new LineError("too long", `a line of the stream is longer than ${this.#maxLineLength} characters`);
    this.#parts.push(part);
  }

  #take(): string {
    const line = this.#parts.length === 1 ? (this.#parts[0] ?? "") : this.#parts.join("");
    this.#parts = [];
    this.#length = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  // Text after bytes, or the end: no character may be incomplete.
  #wholeText(text: string): string {
    if (this.#bytes.length > 0) throw new LineError("encoding", "the stream is not UTF-8");
    return text;
  }

  // The decoder could carry over incomplete characters itself, but in Node that is ten times slower.
  #decode(chunk: Uint8Array): string {
    const bytes = this.#bytes.length === 0 ? chunk : concatenate(this.#bytes, chunk);
    const whole = bytes.length - unfinishedBytes(bytes);
    this.#bytes = bytes.slice(whole);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(whole === bytes.length ? bytes : bytes.subarray(0, whole));
    } catch {
      throw new LineError("encoding", "the stream is not UTF-8");
    }
  }
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Returns how many bytes at the end start a UTF-8 character without completing it. Leaves invalid UTF-8 to the decoder. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    // The first byte of a character tells its length: 110…, 1110…, 11110….
    if (byte >= 0xc0) return byte < 0xf5 && back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/**
 * Yields the lines of a stream. Also yields a last line without "\n": its parser finds out whether it is complete. Leaving the loop
 * early ends the source.
 */
export async function* splitLines(
  chunks: AsyncIterable<string | Uint8Array>,
  options?: LineOptions,
): AsyncGenerator<string, void, undefined> {
  const splitter = new LineSplitter(options);
  for await (const chunk of chunks) yield* splitter.push(chunk);
  const rest = splitter.end();
  if (rest !== undefined) yield rest;
}
