/**
 * One run while it is recorded: sets a few fields and nothing else.
 *
 *     Tape.begin → TapedRun.call … → TapedRun.end        → describe, on read
 */
import { definedOnly } from "@drover/machinery";
import type { Clock, ObjectKey } from "@drover/machinery";
import { describeCause } from "./describe-cause.ts";
import { boundedCauses, causeBytes, reducedCause } from "./kept-cause.ts";
import type { KeptCause } from "./kept-cause.ts";
import { ownText } from "./own-text.ts";
import type { OwnWriteIndex, OwnWrites, RunName } from "./own-writes.ts";
import type { CallRecord, ResultRecord, RunRecord } from "./run-record.ts";
import type { RunStart, RunTape } from "./tape.ts";

/** Shared by all runs of a tape. */
export interface TapedRunOptions {
  readonly clock: Clock;
  readonly callsMax: number;
  readonly ownWrites: OwnWrites;
  /** Called when a run keeps more than before; the tape may release some of it at once. */
  readonly grew: (bytes: number) => void;
  /** Called when a run has ended. */
  readonly ended: (run: TapedRun) => void;
}

const noCalls: readonly CallRecord[] = Object.freeze([]);
const textMax = 1024;
/** What a call keeps beside its error. */
const callBytes = 256;

/** Keeps neither the `RunStart` it was created from nor, after `reduce`, any object. */
export class TapedRun implements RunTape, RunName {
  readonly run: string;
  readonly controller: string;
  readonly key: ObjectKey;
  readonly startedAt: number;
  /** On the monotonic clock. */
  readonly startedMs: number;
  /** Level of suspicion from `RunCounter`; above 0 the tape searches for loops when the run ends. */
  suspicion = 0;
  /** Position among the ended runs of the tape, from 1; 0 while it runs. */
  endedAs = 0;
  readonly #waitedMs: number;
  readonly #attempts: number;
  readonly #causeCount: number;
  readonly #options: TapedRunOptions;
  #causes: readonly KeptCause[];
  #heldChanges = 0;
  #causeBytes = 0;
  #callBytes = 0;
  #keepsCalls = true;
  #calls: CallRecord[] | undefined;
  #callCount = 0;
  #tookMs: number | undefined;
  #result: ResultRecord | undefined;

  constructor(start: RunStart, options: TapedRunOptions) {
    this.run = start.run;
    this.controller = start.controller;
    this.key = start.key;
    this.#waitedMs = start.waitedMs;
    this.#attempts = start.attempts;
    this.#causeCount = start.causeCount;
    this.startedAt = options.clock.now();
    this.startedMs = options.clock.monotonic();
    this.#options = options;
    const causes = boundedCauses(start.causes);
    for (const cause of causes) {
      if (cause.type === "change") this.#heldChanges++;
      this.#causeBytes += causeBytes(cause);
    }
    this.#causes = causes;
  }

  get causes(): readonly KeptCause[] {
    return this.#causes;
  }

  /** Number of causes that hold objects. */
  get heldChanges(): number {
    return this.#heldChanges;
  }

  /** Estimate of what its causes and calls take that `reduce` and `forgetCalls` can release. */
  get heldBytes(): number {
    return this.#causeBytes + this.#callBytes;
  }

  /** The calls that are kept, oldest first. */
  get calls(): readonly CallRecord[] {
    return this.#calls ?? noCalls;
  }

  call(call: CallRecord): void {
    this.#callCount++;
    if (call.wrote !== undefined) this.#options.ownWrites.remember(this, call, this.startedMs);
    if (this.#callCount > this.#options.callsMax || !this.#keepsCalls) return;
    (this.#calls ??= []).push(bounded(call));
    const bytes = callBytes + 2 * Math.min(call.error?.length ?? 0, textMax);
    this.#callBytes += bytes;
    this.#options.grew(bytes);
  }

  /** Records the end of the run. Only the first call counts: the reconcile of an abandoned run may still end. */
  end(result: ResultRecord): void {
    if (this.#result !== undefined) return;
    this.#tookMs = this.#options.clock.monotonic() - this.startedMs;
    this.#result = boundedResult(result);
    this.#options.ended(this);
  }

  /** Releases the objects of its causes. */
  reduce(): void {
    this.#causes = this.#causes.map(reducedCause);
    this.#heldChanges = 0;
    this.#causeBytes = 0;
  }

  /** Releases its calls, and keeps no further ones; they are still counted. */
  forgetCalls(): void {
    this.#calls = undefined;
    this.#callBytes = 0;
    this.#keepsCalls = false;
  }

  describe(own: OwnWriteIndex): RunRecord {
    const { run, controller, key, startedAt } = this;
    return {
      run,
      controller,
      key,
      startedAt,
      waitedMs: this.#waitedMs,
      ...definedOnly({ tookMs: this.#tookMs }),
      attempts: this.#attempts,
      causes: this.#causes.map((cause) => describeCause(cause, own, { seenAt: this.startedMs, run })),
      causeCount: this.#causeCount,
      calls: this.#calls === undefined ? [] : [...this.#calls],
      callCount: this.#callCount,
      ...definedOnly({ result: this.#result }),
    };
  }
}

const bounded = (call: CallRecord): CallRecord =>
  call.error !== undefined && call.error.length > textMax ? { ...call, error: ownText(call.error, textMax) } : call;

function boundedResult(result: ResultRecord): ResultRecord {
  if (result.type === "retry") return result.error.length > textMax ? { ...result, error: ownText(result.error, textMax) } : result;
  if (result.type === "stop" || result.type === "abandoned")
    return result.reason.length > textMax ? { ...result, reason: ownText(result.reason, textMax) } : result;
  return result;
}
