/**
 * The tape: the newest runs in bounded memory. Recording costs a few assignments; everything else happens on reads.
 *
 *     createTape → controllers: begin, call, end        people: runs, why, explain, exportTape, loops
 */
import { budget } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import { describeCause } from "./describe-cause.ts";
import { findLoops, loopIdentity } from "./find-loops.ts";
import type { FindLoopsOptions } from "./find-loops.ts";
import { objectOf } from "./kept-cause.ts";
import { printLoop } from "./loop.ts";
import type { Loop } from "./loop.ts";
import { OwnWrites } from "./own-writes.ts";
import { Ring } from "./ring.ts";
import { RunCounter } from "./run-counter.ts";
import type { Suspect } from "./run-counter.ts";
import { filterRuns } from "./run-filter.ts";
import type { CauseObject, RunFilter } from "./run-filter.ts";
import type { CauseRecord, EndedRuns, RunRecord, TapedCall } from "./run-record.ts";
import type { RunStart, RunTape, Tape } from "./tape.ts";
import { TapedRun } from "./taped-run.ts";
import type { TapedRunOptions } from "./taped-run.ts";

const tapeBytes = budget({
  name: "controller/tape",
  limit: 64 * 2 ** 20,
  unit: "bytes",
  atLimit: "The oldest runs lose the objects of their causes, then their calls; versions, results and counts stay.",
  uncounted: "Normal operation: the tape is a ring that always is as full as it may be.",
});

/** Options of `createTape`. */
export interface TapeOptions extends FindLoopsOptions {
  readonly clock: Clock;
  /** Receives a warning for each loop, once per window. */
  readonly log: Log;
  /** Number of runs to keep. @default 10000 */
  readonly runsMax?: number;
  /** Number of changes to keep with their objects, to tell which fields changed; older ones keep only the versions. @default 2000 */
  readonly changesMax?: number;
  /** Bytes to keep of objects and calls; older runs then lose their objects, and after that their calls. @default 67108864 (64 MiB) */
  readonly bytesMax?: number;
  /** Number of calls to keep per run. @default 64 */
  readonly callsPerRunMax?: number;
  /** Number of own writes to remember, to distinguish them from those of others. @default 2 × runsMax */
  readonly writesMax?: number;
}

/**
 * A tape with queries. One tape may serve controllers of several managers and clusters.
 *
 * Guarantees: memory is bounded by the options. A version counts as ours only if the server returned it for a write of ours before a watch
 * delivered it. `begin`, `call` and `end` parse, compare and print nothing, except that keys which run suspiciously often are examined for
 * loops: at most ten keys per window, and ten more at each doubling.
 */
export interface RecordingTape extends Tape {
  /** Returns runs, newest last, as a snapshot. */
  runs(filter?: RunFilter): readonly RunRecord[];
  /** Yields the same runs one at a time, for callers that need only a few. The selection is made when the first one is read. */
  records(filter?: RunFilter): Iterable<RunRecord>;
  /** Returns the number of runs. */
  count(filter?: RunFilter): number;
  /** Describes causes that have not led to a run yet. */
  describe(causes: readonly Cause[]): readonly CauseRecord[];
  /** Finds keys that keep running because of what runs write. Searches the keys that ran too often in this window or the previous one. */
  loops(): readonly Loop[];
  /** Returns the newest calls of all runs, oldest first, without describing their runs. @param last - maximum number of calls */
  calls(last: number): readonly TapedCall[];
  /**
   * Returns runs in the order in which they ended, after the position `after`: 0 for all that are kept. Cheap if none has ended since.
   * @param max - maximum number of runs; the next call continues with `cursor`
   */
  ended(after: number, max: number, filter?: Omit<RunFilter, "last">): EndedRuns;
  /** Returns the wall time of the tape's clock. */
  now(): number;
}

/** Returns an empty tape. */
export function createTape(options: TapeOptions): RecordingTape {
  return new RingTape(options);
}

/** Number of keys examined per window, at each level of suspicion. */
const looksMax = 10;

class RingTape implements RecordingTape {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #runs: Ring<TapedRun>;
  readonly #changesMax: number;
  readonly #bytesMax: number;
  readonly #ownWrites: OwnWrites;
  readonly #shared: TapedRunOptions;
  readonly #counter: RunCounter;
  readonly #loopOptions: Required<FindLoopsOptions>;
  /** Changes held with their objects, bytes held, and how many of the oldest runs hold no objects and no calls. */
  #held = 0;
  #heldBytes = 0;
  #reduced = 0;
  #silent = 0;
  /** Number of runs that have ended. */
  #ended = 0;
  /** Examinations per level of suspicion, and loops already logged; both reset once per window. */
  readonly #looks = new Map<number, number>();
  readonly #reported = new Set<string>();
  #reportAgainAt = -Infinity;

  constructor({
    clock,
    log,
    runsMax = 10_000,
    changesMax = 2000,
    bytesMax = tapeBytes.limit,
    callsPerRunMax = 64,
    writesMax = 2 * runsMax,
    loopRunsMax = 10,
    loopWindowMs = 60_000,
  }: TapeOptions) {
    requireCount("changesMax", changesMax, 0);
    requireCount("bytesMax", bytesMax, 0);
    requireCount("callsPerRunMax", callsPerRunMax, 0);
    requireCount("loopRunsMax", loopRunsMax, 1);
    if (!(loopWindowMs > 0)) throw new RangeError(`loopWindowMs must be more than 0 milliseconds, not ${loopWindowMs}`);
    this.#clock = clock;
    this.#log = log;
    this.#runs = new Ring(runsMax);
    this.#changesMax = changesMax;
    this.#bytesMax = bytesMax;
    this.#ownWrites = new OwnWrites(writesMax);
    this.#shared = {
      clock,
      callsMax: callsPerRunMax,
      ownWrites: this.#ownWrites,
      grew: (bytes) => {
        this.#heldBytes += bytes;
        this.#reduceOld();
      },
      ended: (run) => {
        run.endedAs = ++this.#ended;
        if (run.suspicion > 0) this.#lookForLoops(run);
      },
    };
    this.#counter = new RunCounter({ windowMs: loopWindowMs, runsMax: loopRunsMax, totalMax: runsMax });
    this.#loopOptions = { loopRunsMax, loopWindowMs };
  }

  begin(start: RunStart): RunTape {
    const run = new TapedRun(start, this.#shared);
    run.suspicion = this.#counter.count(start.controller, start.key, run.startedMs);
    const oldest = this.#runs.push(run);
    if (oldest !== undefined) {
      this.#release(oldest, () => {
        oldest.reduce();
        oldest.forgetCalls();
      });
      if (this.#reduced > 0) this.#reduced--;
      if (this.#silent > 0) this.#silent--;
    }
    this.#held += run.heldChanges;
    this.#heldBytes += run.heldBytes;
    this.#reduceOld();
    return run;
  }

  runs(filter: RunFilter = {}): readonly RunRecord[] {
    return [...this.records(filter)];
  }

  *records(filter: RunFilter = {}): Generator<RunRecord> {
    yield* this.#describe(this.#find(filter));
  }

  *#describe(found: readonly TapedRun[]): Generator<RunRecord> {
    const own = this.#ownWrites.index(new Set(found.flatMap(({ causes }) => causes.flatMap((cause) => objectOf(cause)?.uid ?? []))));
    for (const run of found) yield run.describe(own);
  }

  count(filter: RunFilter = {}): number {
    return this.#find(filter).length;
  }

  describe(causes: readonly Cause[]): readonly CauseRecord[] {
    const own = this.#ownWrites.index(new Set(causes.flatMap((cause) => objectOf(cause)?.uid ?? [])));
    return causes.map((cause) => describeCause(cause, own, { seenAt: Infinity }));
  }

  loops(): readonly Loop[] {
    return findLoops(
      this.#counter.suspects().flatMap((suspect) => this.#recent(suspect)),
      this.#loopOptions,
    );
  }

  calls(last: number): readonly TapedCall[] {
    const found: TapedCall[] = [];
    for (let index = this.#runs.size - 1; index >= 0 && found.length < last; index--) {
      const taped = this.#runs.at(index);
      if (taped === undefined) continue;
      const { run, controller, key, startedAt, calls } = taped;
      for (const call of calls.slice(-(last - found.length)).toReversed())
        found.push({ run, controller, key, at: startedAt + call.atMs, call });
    }
    return found.toSorted((left, right) => left.at - right.at);
  }

  ended(after: number, max: number, filter: Omit<RunFilter, "last"> = {}): EndedRuns {
    // A cursor of another process, or of the time before a restart.
    const from = after > this.#ended ? 0 : after;
    if (from === this.#ended) return { runs: [], cursor: this.#ended, missed: 0 };
    const kept = this.#runs.items().filter(({ endedAs }) => endedAs > from);
    const missed = this.#ended - from - kept.length;
    const wanted = new Set(filterRuns(this.#runs.items(), filter, objectsOf));
    const found = kept.filter((run) => wanted.has(run)).toSorted((left, right) => left.endedAs - right.endedAs);
    const page = found.slice(0, Math.max(1, max));
    const cursor = page.length < found.length ? (page.at(-1)?.endedAs ?? from) : this.#ended;
    return { runs: [...this.#describe(page)], cursor, missed };
  }

  now(): number {
    return this.#clock.now();
  }

  #find(filter: RunFilter): readonly TapedRun[] {
    return filterRuns(this.#runs.items(), filter, objectsOf);
  }

  #reduceOld(): void {
    while ((this.#held > this.#changesMax || this.#heldBytes > this.#bytesMax) && this.#reduced < this.#runs.size) {
      const run = this.#runs.at(this.#reduced++);
      if (run !== undefined) this.#release(run, () => run.reduce());
    }
    while (this.#heldBytes > this.#bytesMax && this.#silent < this.#runs.size) {
      const run = this.#runs.at(this.#silent++);
      if (run !== undefined) this.#release(run, () => run.forgetCalls());
    }
  }

  #release(run: TapedRun, release: () => void): void {
    const [changes, bytes] = [run.heldChanges, run.heldBytes];
    release();
    this.#held += run.heldChanges - changes;
    this.#heldBytes += run.heldBytes - bytes;
  }

  /** Returns the recent runs of a key: as many as two windows of a normal key. */
  #recent({ controller, key }: Suspect): readonly RunRecord[] {
    return this.runs({ controller, key, last: this.#loopOptions.loopRunsMax * 4 });
  }

  /** Examines a key for loops. The limit is per level, so keys that are merely busy do not use up the examinations of keys in a loop. */
  #lookForLoops(run: TapedRun): void {
    if (run.startedMs >= this.#reportAgainAt) {
      this.#reportAgainAt = run.startedMs + this.#loopOptions.loopWindowMs;
      this.#looks.clear();
      this.#reported.clear();
    }
    const looks = this.#looks.get(run.suspicion) ?? 0;
    if (looks >= looksMax) return;
    this.#looks.set(run.suspicion, looks + 1);
    for (const loop of findLoops(this.#recent(run), this.#loopOptions)) {
      const identity = loopIdentity(loop);
      if (this.#reported.has(identity)) continue;
      this.#reported.add(identity);
      this.#log.warn(`endless reconcile loop: ${printLoop(loop)}`, { controller: loop.controller, key: loop.key, code: "DRV0415" });
    }
  }
}

const objectsOf = (run: TapedRun): readonly CauseObject[] => run.causes.flatMap((cause) => objectOf(cause) ?? []);

function requireCount(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) throw new RangeError(`${name} must be a whole number of at least ${least}, not ${value}`);
}
