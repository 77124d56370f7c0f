/**
 * Why a key was reconciled, what that did, and what comes next: from the tape, and from the queue if its controller is at hand.
 *
 *     tape, or runs read from lines → why → Explanation → explain → lines for people
 */
import type { GroupKind, ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import type { Cause } from "../causes/cause.ts";
import { describeCause } from "./describe-cause.ts";
import { ownWritesOf } from "./own-writes.ts";
import type { RecordingTape } from "./recording-tape.ts";
import { filterRuns, recordObjects } from "./run-filter.ts";
import type { CauseRecord, RunRecord } from "./run-record.ts";

/** Whoever knows how a key stands in its queue; a `Controller` does. */
export interface KeyInspector {
  inspect(key: ObjectKey): KeyReport<ObjectKey, Cause> | undefined;
}

export interface WhyQuestion {
  readonly key: ObjectKey;
  /** Only runs of the controller of this name. @default any */
  readonly controller?: string;
  /**
   * The key is that of an object of this kind: runs of those who reconcile the kind, and runs this object caused for
   * others. @default whatever has the key
   */
  readonly kind?: GroupKind;
  /** Where the key waits for its next run. @default nothing is told of what is to come */
  readonly inspector?: KeyInspector;
  /** How many runs are told, the newest. @default 10 */
  readonly runsMax?: number;
}

/** How a key stands in its queue. */
export interface PendingRecord extends Omit<KeyReport<ObjectKey, Cause>, "causes"> {
  readonly causes: readonly CauseRecord[];
}

/** The answer, as data. */
export interface Explanation {
  readonly key: ObjectKey;
  readonly kind?: GroupKind;
  readonly controller?: string;
  /** When it was asked, in milliseconds since 1970; of a tape that was read from lines, when its newest run ended. */
  readonly at: number;
  /** The newest last. */
  readonly runs: readonly RunRecord[];
  /** How many runs the tape has, those that are not told included. */
  readonly runCount: number;
  /** Absent when no inspector was asked, or the queue knows nothing of the key. */
  readonly pending?: PendingRecord;
}

/** Answers from a tape, or from the runs `readTape` gave. */
export function why(
  tape: RecordingTape | readonly RunRecord[],
  { key, controller, kind, inspector, runsMax = 10 }: WhyQuestion,
): Explanation {
  const names = { key, ...(controller === undefined ? {} : { controller }), ...(kind === undefined ? {} : { kind }) };
  const source = isRecords(tape) ? sourceOf(tape) : tape;
  const report = inspector?.inspect(key);
  return {
    ...names,
    at: source.now(),
    runs: source.runs({ ...names, last: runsMax }),
    runCount: source.count(names),
    ...(report === undefined ? {} : { pending: { ...report, causes: source.describe(report.causes) } }),
  };
}

const isRecords = (tape: RecordingTape | readonly RunRecord[]): tape is readonly RunRecord[] => Array.isArray(tape);

/** What a tape that was read from lines still knows. */
function sourceOf(records: readonly RunRecord[]): Pick<RecordingTape, "runs" | "count" | "describe" | "now"> {
  return {
    runs: (filter = {}) => filterRuns(records, filter, recordObjects),
    count: (filter = {}) => filterRuns(records, filter, recordObjects).length,
    describe: (causes) => {
      const own = ownWritesOf(records);
      return causes.map((cause) => describeCause(cause, own, { seenAt: Infinity }));
    },
    now: () => records.reduce((latest, { startedAt, tookMs = 0 }) => Math.max(latest, startedAt + tookMs), 0),
  };
}
