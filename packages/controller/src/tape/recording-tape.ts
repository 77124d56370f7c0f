/**
 * The tape itself: the newest runs in a fixed amount of memory. Writing costs a few assignments; everything else is
 * done when somebody asks.
 *
 *     createTape → controllers: begin, call, end        people: runs, why, explain, exportTape, loops
 */
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
import type { CauseRecord, RunRecord } from "./run-record.ts";
import type { RunStart, RunTape, Tape } from "./tape.ts";
import { TapedRun } from "./taped-run.ts";
import type { TapedRunOptions } from "./taped-run.ts";

export interface TapeOptions extends FindLoopsOptions {
  readonly clock: Clock;
  /** Where loops are told, each once within a window. */
  readonly log: Log;
  /** How many runs are kept. @default 10000 */
  readonly runsMax?: number;
  /**
   * How many changes are kept with their objects, so that it can be told which fields changed; of older ones only the
   * versions are left. @default 2000
   */
  readonly changesMax?: number;
  /** How many calls of one run are kept. @default 64 */
  readonly callsPerRunMax?: number;
  /** How many of our own writes are remembered, to tell them from those of others. @default twice `runsMax` */
  readonly writesMax?: number;
}

/**
 * One tape may serve the controllers of several managers and clusters.
 *
 * Guarantees: memory is bounded by the options, whatever is taped; a version is blamed on us only when the server
 * answered a write of ours with
 * it before the version was known; nothing is read, compared or printed by `begin`, `call` and `end`, except that a key
 * which runs suspiciously
 * often is looked at when it has, for at most ten keys within a window and ten more at each doubling.
 */
export interface RecordingTape extends Tape {
  /** Runs, the newest last. A copy: nothing in it changes later. */
  runs(filter?: RunFilter): readonly RunRecord[];
  /** The same, one at a time: of a long tape a few may be enough. The runs are those there were when the first is asked for. */
  records(filter?: RunFilter): Iterable<RunRecord>;
  /** How many runs there are. */
  count(filter?: RunFilter): number;
  /** What can be told of causes that have not led to a run yet. */
  describe(causes: readonly Cause[]): readonly CauseRecord[];
  /**
   * Keys that run again and again because of what runs write: who writes what. Looked for now, among the keys that ran
   * too often in this window or the one before.
   */
  loops(): readonly Loop[];
  /** Wall time on the tape's clock. */
  now(): number;
}

/** An empty tape. */
export function createTape(options: TapeOptions): RecordingTape {
  return new RingTape(options);
}

/** How many keys are looked at within a window, at each level of suspicion. */
const looksMax = 10;

class RingTape implements RecordingTape {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #runs: Ring<TapedRun>;
  readonly #changesMax: number;
  readonly #ownWrites: OwnWrites;
  readonly #shared: TapedRunOptions;
  readonly #counter: RunCounter;
  readonly #loopOptions: Required<FindLoopsOptions>;
  /** How many changes are held with their objects, and how many of the oldest runs hold none any more. */
  #held = 0;
  #reduced = 0;
  /** How many looks there were at each level of suspicion, and which loops were told, until it is time to tell them again. */
  readonly #looks = new Map<number, number>();
  readonly #told = new Set<string>();
  #tellAgainAt = -Infinity;

  constructor({
    clock,
    log,
    runsMax = 10_000,
    changesMax = 2000,
    callsPerRunMax = 64,
    writesMax = 2 * runsMax,
    loopRunsMax = 10,
    loopWindowMs = 60_000,
  }: TapeOptions) {
    requireCount("changesMax", changesMax, 0);
    requireCount("callsPerRunMax", callsPerRunMax, 0);
    requireCount("loopRunsMax", loopRunsMax, 1);
    if (!(loopWindowMs > 0)) throw new RangeError(`loopWindowMs must be more than 0 milliseconds, not ${loopWindowMs}`);
    this.#clock = clock;
    this.#log = log;
    this.#runs = new Ring(runsMax);
    this.#changesMax = changesMax;
    this.#ownWrites = new OwnWrites(writesMax);
    this.#shared = {
      clock,
      callsMax: callsPerRunMax,
      ownWrites: this.#ownWrites,
      ended: (run) => {
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
      if (this.#reduced > 0) this.#reduced--;
      else this.#held -= oldest.heldChanges;
    }
    this.#held += run.heldChanges;
    while (this.#held > this.#changesMax && this.#reduced < this.#runs.size) this.#reduceOldest();
    return run;
  }

  runs(filter: RunFilter = {}): readonly RunRecord[] {
    return [...this.records(filter)];
  }

  *records(filter: RunFilter = {}): Generator<RunRecord> {
    const found = this.#find(filter);
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

  now(): number {
    return this.#clock.now();
  }

  #find(filter: RunFilter): readonly TapedRun[] {
    return filterRuns(this.#runs.items(), filter, objectsOf);
  }

  #reduceOldest(): void {
    const run = this.#runs.at(this.#reduced);
    this.#reduced++;
    if (run === undefined) return;
    this.#held -= run.heldChanges;
    run.reduce();
  }

  /** The runs of a key that a look is worth: as many as two windows of an ordinary key. */
  #recent({ controller, key }: Suspect): readonly RunRecord[] {
    return this.runs({ controller, key, last: this.#loopOptions.loopRunsMax * 4 });
  }

  /** Keys that are only busy must not use up the looks that a loop deserves: who runs twice as often competes with fewer. */
  #lookForLoops(run: TapedRun): void {
    if (run.startedMs >= this.#tellAgainAt) {
      this.#tellAgainAt = run.startedMs + this.#loopOptions.loopWindowMs;
      this.#looks.clear();
      this.#told.clear();
    }
    const looks = this.#looks.get(run.suspicion) ?? 0;
    if (looks >= looksMax) return;
    this.#looks.set(run.suspicion, looks + 1);
    for (const loop of findLoops(this.#recent(run), this.#loopOptions)) {
      const identity = loopIdentity(loop);
      if (this.#told.has(identity)) continue;
      this.#told.add(identity);
      this.#log.warn(`a loop that does not come to rest: ${printLoop(loop)}`, { controller: loop.controller, key: loop.key });
    }
  }
}

const objectsOf = (run: TapedRun): readonly CauseObject[] => run.causes.flatMap((cause) => objectOf(cause) ?? []);

function requireCount(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) throw new RangeError(`${name} must be a whole number of at least ${least}, not ${value}`);
}
