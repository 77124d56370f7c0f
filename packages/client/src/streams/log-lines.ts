/**
 * Splits a log into lines without losing anything: empty lines and carriage returns stay, and invalid UTF-8 becomes U+FFFD
 * instead of an error, because programs may log anything.
 *
 *     chunks cut anywhere → LogLines → whole lines, without their "\n"
 */
import { LineError } from "@drover/machinery";

const newline = 10;

/** Guarantees that chunk boundaries do not affect the lines. */
export class LogLines {
  readonly #lineBytesMax: number;
  // Parts of the unfinished line, joined once it is complete.
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(lineBytesMax: number) {
    this.#lineBytesMax = lineBytesMax;
  }

  /** Returns the lines that this chunk completes. Throws a `LineError` if one exceeds the limit. */
  push(chunk: string | Uint8Array): string[] {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    const lines: string[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#add(bytes.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#add(bytes.subarray(start));
    return lines;
  }

  /** Returns the last line if it has no "\n", or undefined. */
  end(): string | undefined {
    return this.#bytes === 0 ? undefined : this.#take();
  }

  #add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#lineBytesMax) throw new LineError("too long", `a line of the log is longer than ${this.#lineBytesMax} bytes`);
    this.#parts.push(part);
  }

  #take(): string {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const line = this.#parts.length === 1 ? decoder.decode(this.#parts[0]) : decoder.decode(join(this.#parts, this.#bytes));
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}
