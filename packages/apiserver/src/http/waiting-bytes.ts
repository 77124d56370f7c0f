/**
 * Bounds the bytes that wait for all watchers of a port together. Each watcher is bounded by itself, but thousands that read slowly would
 * still fill the memory.
 *
 *     pourBody → note → end of the slowest
 */
import { budget } from "@drover/machinery";
import type { Budget, Clock } from "@drover/machinery";

/** About four thousand watchers, each with a full buffer of its socket. */
export const watchBytes: Budget = budget({
  name: "apiserver/watch-waiting",
  limit: 256 * 2 ** 20,
  unit: "bytes",
  atLimit:
    "The slowest watches end, those with most bytes waiting for longest, until an eighth is free again; their clients watch on from their last version.",
});
/** Less is not counted, so that a watcher that keeps up costs nothing here. */
const countedFrom = 4 * 1024;
/** How much stays after the slowest have ended, so that the next write does not begin anew. */
const keptShare = 7 / 8;

/** A stream whose client may be slow. */
export interface WaitingStream {
  /** Returns the bytes that wait for its client now. */
  readonly waitingBytes: () => number;
  /** Ends it at once; its bytes are released. */
  readonly end: () => void;
}

export interface WaitingBytesOptions {
  readonly bytesMax: number;
  readonly clock: Pick<Clock, "monotonic">;
  /** Called after streams had to end. */
  readonly onEnded: (ended: { readonly streams: number; readonly bytes: number }) => void;
}

interface Noted {
  /** What the stream had at its last note, which may be more than it has now. */
  readonly bytes: number;
  /** Since when bytes wait, without a moment in which the client had taken all of them. */
  readonly sinceMs: number;
}

/**
 * Guarantees: after each `note`, the bytes that wait for the streams with 4 KiB or more are at most `bytesMax`. The slowest end first:
 * those whose bytes, times the time that they wait, are most. So a client that reads nothing ends before one that just got a large event.
 */
export class WaitingBytes {
  readonly #options: WaitingBytesOptions;
  readonly #noted = new Map<WaitingStream, Noted>();
  #sum = 0;

  constructor(options: WaitingBytesOptions) {
    this.#options = options;
  }

  /** Counts what waits for a stream; called after each write to it. May end this stream and others. */
  note(stream: WaitingStream): void {
    const bytes = stream.waitingBytes();
    if (bytes < countedFrom) return;
    this.#set(stream, bytes);
    if (this.#sum > this.#options.bytesMax) this.#shrink();
  }

  /** Called when the client has taken everything, and when the stream is over. */
  forget(stream: WaitingStream): void {
    this.#set(stream, 0);
  }

  #set(stream: WaitingStream, bytes: number): void {
    const known = this.#noted.get(stream);
    this.#sum += bytes - (known?.bytes ?? 0);
    if (bytes === 0) this.#noted.delete(stream);
    else this.#noted.set(stream, { bytes, sinceMs: known?.sinceMs ?? this.#options.clock.monotonic() });
  }

  #shrink(): void {
    const { bytesMax, clock, onEnded } = this.#options;
    for (const stream of this.#noted.keys()) this.#set(stream, stream.waitingBytes());
    if (this.#sum <= bytesMax) return;
    const nowMs = clock.monotonic();
    // One millisecond more, so that bytes decide among those that wait for less.
    const slowness = ({ bytes, sinceMs }: Noted): number => bytes * (nowMs - sinceMs + 1);
    let [streams, bytes] = [0, 0];
    for (const [stream, noted] of [...this.#noted].toSorted(([, some], [, other]) => slowness(other) - slowness(some))) {
      if (this.#sum <= bytesMax * keptShare) break;
      streams++;
      bytes += noted.bytes;
      this.forget(stream);
      stream.end();
    }
    onEnded({ streams, bytes });
  }
}
