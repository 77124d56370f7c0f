/**
 * Slows down a key whose runs are caused only by their own writes: the watch delivers each write, and the run that follows writes again, as
 * fast as the server can answer.
 *
 *     write → wrote;  work → waitMs: 0, or the delay of a run caused by its own write;  end of a run → ended
 */
import type { ConfirmedWrite } from "@drover/cache";
import type { ObjectKey } from "@drover/machinery";
import type { Work } from "@drover/workqueue";
import type { Cause, WatchCause } from "../causes/cause.ts";

export interface EchoBrakeOptions {
  /** How many runs in a row may write if only the previous run's write caused them; Infinity disables the delay. */
  readonly echoesMax: number;
  /** Called each time a key is delayed. */
  readonly onSlowed: (echo: Echo) => void;
}

/** A key whose runs are caused only by their own writes. */
export interface Echo {
  readonly key: ObjectKey;
  /** Number of such runs in a row. */
  readonly runs: number;
  /** Delay of the next run, in milliseconds. */
  readonly waitMs: number;
  /** The change that the last write caused. */
  readonly cause: WatchCause;
}

type Write = Pick<ConfirmedWrite, "uid" | "resourceVersion">;

/** What is known about a key whose last run wrote. */
interface Trace {
  /** Writes of its last two runs: a slow watch delivers those of the run before last. Lists, because most runs write once or twice. */
  written: Write[];
  before: readonly Write[];
  runs: number;
  isEcho: boolean;
  /** End of the delay on the monotonic clock; 0 if it is not delayed. */
  waitUntil: number;
}

const firstWaitMs = 1000;
const waitMaxMs = 60_000;
/** Bounds the memory for keys that write objects no source watches: no change ever removes their traces. */
const tracesMax = 10_000;

/**
 * Guarantees: a key with any other cause, as far as the kept causes tell, is never delayed. A run that writes nothing ends the delay. A key
 * ends up writing at most once a minute because of its own writes.
 */
export class EchoBrake {
  readonly #options: EchoBrakeOptions;
  readonly #traces = new Map<ObjectKey, Trace>();

  constructor(options: EchoBrakeOptions) {
    this.#options = options;
  }

  /** Number of remembered keys. */
  get size(): number {
    return this.#traces.size;
  }

  /** Records that the current run of this key wrote an object. */
  wrote(key: ObjectKey, write: Write): void {
    if (this.#options.echoesMax === Infinity) return;
    const trace = this.#traces.get(key) ?? this.#newTrace(key);
    trace.written.push(write);
  }

  /** Returns the delay of this run, in milliseconds. */
  waitMs({ key, causes, causeCount }: Pick<Work<ObjectKey, Cause>, "key" | "causes" | "causeCount">, now: number): number {
    const trace = this.#traces.get(key);
    if (trace === undefined) return 0;
    // The queue keeps only the first causes, so count how many its own writes can explain.
    const writes = trace.written.length + trace.before.length;
    const echo = causeCount <= Math.max(causes.length, writes) ? echoOf(trace, causes) : undefined;
    trace.isEcho = echo !== undefined;
    if (echo !== undefined && trace.runs >= this.#options.echoesMax) {
      if (trace.waitUntil === 0) {
        const waitMs = Math.min(waitMaxMs, firstWaitMs * 2 ** (trace.runs - this.#options.echoesMax));
        trace.waitUntil = now + waitMs;
        this.#options.onSlowed({ key, runs: trace.runs, waitMs, cause: echo });
      }
      if (now < trace.waitUntil) return trace.waitUntil - now;
    }
    trace.waitUntil = 0;
    trace.before = trace.written;
    trace.written = [];
    return 0;
  }

  /** Records that a run of this key has ended. */
  ended(key: ObjectKey): void {
    const trace = this.#traces.get(key);
    if (trace === undefined) return;
    if (trace.written.length === 0) this.#traces.delete(key);
    else if (trace.isEcho) trace.runs++;
  }

  #newTrace(key: ObjectKey): Trace {
    const [oldest] = this.#traces.size < tracesMax ? [] : this.#traces.keys();
    if (oldest !== undefined) this.#traces.delete(oldest);
    const trace: Trace = { written: [], before: [], runs: 0, isEcho: false, waitUntil: 0 };
    this.#traces.set(key, trace);
    return trace;
  }
}

/** Returns the last cause if all causes are the key's own writes. */
function echoOf({ written, before }: Trace, causes: readonly Cause[]): WatchCause | undefined {
  let last: WatchCause | undefined;
  for (const cause of causes) {
    if (cause.type !== "change") return undefined;
    const { uid, resourceVersion = "", type } = cause.change;
    // The response to a delete names no version.
    const version = type === "deleted" ? "" : resourceVersion;
    const isOwn = (write: Write): boolean =>
      write.uid === uid && (write.resourceVersion === version || write.resourceVersion === resourceVersion);
    if (!written.some(isOwn) && !before.some(isOwn)) return undefined;
    last = cause;
  }
  return last;
}
