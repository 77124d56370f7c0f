/**
 * Standard output of the command, whose reader may leave or stop reading.
 *
 *     main → output → process.stdout
 */
import { budget, byteLength, errorCode } from "@drover/machinery";

const waitingBytes = budget({
  name: "cli/output-buffer",
  limit: 4 * 2 ** 20,
  unit: "bytes",
  atLimit: "lines that a slow reader of `drover up` does not take are dropped; a later line tells how many",
  uncounted: "A command has no metrics; a later line tells how many lines are missing.",
});

/** The part of `process.stdout` that is used. */
export interface OutputStream {
  readonly writableLength: number;
  write(text: string): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
}

export interface Output {
  /** Writes a text, or drops it if the reader has not taken 4 MiB yet. Never throws and never waits. */
  readonly write: (text: string) => void;
  /** Aborts when the reader is gone, as in `drover up | head -1`: the command then ends quietly, as other programs do. */
  readonly gone: AbortSignal;
}

/** Returns the output. Other failures than a missing reader, such as a full disk, are ignored: a cluster must survive them. */
export function output(stream: OutputStream, bytesMax: number = waitingBytes.limit): Output {
  const gone = new AbortController();
  stream.on("error", (error) => {
    if (errorCode(error) === "EPIPE") gone.abort();
  });
  unblock(stream);
  let dropped = 0;
  const write = (text: string): void => {
    const whole = dropped === 0 ? text : `… ${dropped} lines dropped, because they were not read …\n${text}`;
    if (stream.writableLength + byteLength(whole) > bytesMax) {
      dropped++;
      return;
    }
    try {
      stream.write(whole);
      dropped = 0;
    } catch {
      // A full disk: the stream of a file throws.
      dropped++;
    }
  };
  return { write, gone: gone.signal };
}

/** Node makes writes to its own pipes blocking: a reader that stops reading would stop the API server. */
function unblock(stream: object): void {
  const { _handle: handle } = stream as { readonly _handle?: { setBlocking?(isBlocking: boolean): unknown } };
  handle?.setBlocking?.(false);
}
