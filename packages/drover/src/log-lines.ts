/**
 * Writes log lines where they may fail: the reader of a pipe is gone or slow, or the disk is full. The program neither ends nor waits for
 * it: lines that cannot be written are dropped and counted, and the next line that can is preceded by their number.
 *
 *     createLog → logLines → LineOutput: a pipe, a terminal, a file
 */
import { fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { budget, byteLength, callSafely, countExceeded } from "@drover/machinery";
import type { Metrics } from "@drover/machinery";

const bufferBytes = budget({
  name: "drover/log-buffer",
  limit: 4 * 2 ** 20,
  unit: "bytes",
  atLimit: "log lines that a slow reader of standard error does not take are dropped; a later line tells how many",
});

/** Where lines go. */
export interface LineOutput {
  /** Bytes that were accepted but not yet written. */
  readonly waitingBytes: number;
  /** Writes a text. Throws, or calls `failed` later, if it cannot. */
  write(text: string, failed: () => void): void;
}

export interface LogLinesOptions {
  readonly output: LineOutput;
  readonly metrics: Metrics;
  /** Returns the line that reports dropped lines. */
  readonly report: (dropped: number) => string;
  /** @default the budget "drover/log-buffer" */
  readonly bufferBytesMax?: number;
}

/** Returns the function that writes one line, without its line break. Never throws and never waits. */
export function logLines({ output, metrics, report, bufferBytesMax = bufferBytes.limit }: LogLinesOptions): (line: string) => void {
  let unreported = 0;
  const drop = (lines: number): void => {
    unreported += lines;
    metrics.counter({ name: "drover_log_lines_dropped_total", help: "Log lines that could not be written." }).add(lines, {});
  };
  const put = (text: string, onFailure: () => void): boolean => {
    if (output.waitingBytes + byteLength(text) > bufferBytesMax) {
      countExceeded(metrics, bufferBytes);
      return false;
    }
    let hasFailed = false;
    const failed = (): void => {
      if (hasFailed) return;
      hasFailed = true;
      onFailure();
    };
    callSafely(() => output.write(`${text}\n`, failed), failed);
    return true;
  };
  return (line) => {
    const missing = unreported;
    if (missing > 0) {
      unreported = 0;
      // In one write with the line: either both are written or both are missing.
      const isAccepted = put(`${report(missing)}\n${line}`, () => {
        unreported += missing;
        drop(1);
      });
      if (isAccepted) return;
      unreported += missing;
      drop(1);
    } else if (!put(line, () => drop(1))) drop(1);
  };
}

/** Returns standard error as an output that never blocks this process, unless it is a terminal. */
export function standardError(): LineOutput {
  // Node's stream over a file breaks with the first failed write, and then keeps every later one in memory.
  if (!process.stderr.isTTY && isFileOrDevice(2)) return fileOutput(2);
  const stream = process.stderr;
  // Without a listener, a closed pipe would end the program.
  if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
  if (stream instanceof Socket && !stream.isTTY) unblock(stream);
  return {
    get waitingBytes() {
      return stream.writableLength;
    },
    write: (text, failed) => void stream.write(text, (error) => void (error instanceof Error && failed())),
  };
}

function ignore(): void {}

/** Node makes writes to its own pipes blocking: a reader that stops reading would stop the whole program. */
function unblock(stream: object): void {
  const { _handle: handle } = stream as { readonly _handle?: { setBlocking?(isBlocking: boolean): unknown } };
  handle?.setBlocking?.(false);
}

function fileOutput(descriptor: number): LineOutput {
  return {
    waitingBytes: 0,
    write: (text) => {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    },
  };
}

function isFileOrDevice(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFile() || stat.isCharacterDevice();
  } catch {
    return false;
  }
}
