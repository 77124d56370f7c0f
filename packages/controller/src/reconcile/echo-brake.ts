/**
 * Slows down a key whose runs are caused by nothing but their own writes: each write is seen by the watch, and the run that follows writes
 * again, as fast as the server can.
 *
 *     write → wrote;  work → waitMs: 0, or how long its own echo is to wait;  end of a run → ended
 */
import type { ConfirmedWrite } from "@drover/cache";
import type { ObjectKey } from "@drover/machinery";
import type { Work } from "@drover/workqueue";
import type { Cause, WatchCause } from "../causes/cause.ts";

export interface EchoBrakeOptions {
  /** How many runs in a row may write because of what the run before wrote; Infinity slows nobody down. */
  readonly echoesMax: number;
  /** Is told each time a key is put off. */
  readonly onSlowed: (echo: Echo) => void;
}

/** A key that only hears itself. */
export interface Echo {
  readonly key: ObjectKey;
  /** How many runs in a row wrote because of what the run before wrote. */
  readonly runs: number;
  /** How long the next one waits, in milliseconds. */
  readonly waitMs: number;
  /** What it wrote last and saw again. */
  readonly cause: WatchCause;
}

/** What is known of a key whose last run wrote something. */
interface Trace {
  /** What its last two runs wrote, by uid: a late watch shows the one before last. */
  written: Map<string, readonly string[]>;
  before: Map<string, readonly string[]>;
  runs: number;
  isEcho: boolean;
  /** On the monotonic clock; 0 while it is not slowed down. */
  waitUntil: number;
}

const firstWaitMs = 1000;
const waitMaxMs = 60_000;
/** Keys that wrote something nobody watches are never heard of again. */
const tracesMax = 10_000;

/**
 * Guarantees: a key that anything else asks for, as far as its causes tell, is never put off; a run that writes nothing
 * ends the story; in the long run a key writes once a
 * minute because of itself.
 */
export class EchoBrake {
  readonly #options: EchoBrakeOptions;
  readonly #traces = new Map<ObjectKey, Trace>();

  constructor(options: EchoBrakeOptions) {
    this.#options = options;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#traces.size;
  }

  /** The run under way of this key wrote an object. */
  wrote(key: ObjectKey, { uid, resourceVersion }: Pick<ConfirmedWrite, "uid" | "resourceVersion">): void {
    if (this.#options.echoesMax === Infinity) return;
    const trace = this.#traces.get(key) ?? this.#newTrace(key);
    trace.written.set(uid, [...(trace.written.get(uid) ?? []), resourceVersion]);
  }

  /** How long this run is to wait, in milliseconds. */
  waitMs({ key, causes, causeCount }: Pick<Work<ObjectKey, Cause>, "key" | "causes" | "causeCount">, now: number): number {
    const trace = this.#traces.get(key);
    if (trace === undefined) return 0;
    const echo = causeCount <= Math.max(causes.length, writesOf(trace)) ? echoOf(trace, causes) : undefined;
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
    trace.written = new Map();
    return 0;
  }

  /** A run of this key is over. */
  ended(key: ObjectKey): void {
    const trace = this.#traces.get(key);
    if (trace === undefined) return;
    if (trace.written.size === 0) this.#traces.delete(key);
    else if (trace.isEcho) trace.runs++;
  }

  #newTrace(key: ObjectKey): Trace {
    const [oldest] = this.#traces.size < tracesMax ? [] : this.#traces.keys();
    if (oldest !== undefined) this.#traces.delete(oldest);
    const trace: Trace = { written: new Map(), before: new Map(), runs: 0, isEcho: false, waitUntil: 0 };
    this.#traces.set(key, trace);
    return trace;
  }
}

/** As many causes as these can follow from its own writes; of many causes only the first are kept. */
function writesOf({ written, before }: Trace): number {
  let count = 0;
  for (const writes of [written, before]) for (const versions of writes.values()) count += versions.length;
  return count;
}

/** The last cause, if all of them are nothing but what this key wrote. */
function echoOf({ written, before }: Trace, causes: readonly Cause[]): WatchCause | undefined {
  let last: WatchCause | undefined;
  for (const cause of causes) {
    if (cause.type !== "change") return undefined;
    const { uid, resourceVersion = "", type } = cause.change;
    // What is gone has no version any more that an answer could have named.
    const version = type === "deleted" ? "" : resourceVersion;
    const isOwn = [written, before].some((writes) => writes.get(uid)?.some((own) => own === version || own === resourceVersion));
    if (!isOwn) return undefined;
    last = cause;
  }
  return last;
}
