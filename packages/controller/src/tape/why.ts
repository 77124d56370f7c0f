/**
 * Answers why a key was reconciled, what its runs did, and what comes next: from the tape, and from the queue if a controller is given.
 *
 *     tape, or runs read from lines → why → Explanation → explain → lines for people
 */
import { definedOnly } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import type { Cause } from "../causes/cause.ts";
import { describeCause } from "./describe-cause.ts";
import { ownWritesOf } from "./own-writes.ts";
import type { Obstacle } from "./obstacle.ts";
import type { RecordingTape } from "./recording-tape.ts";
import { filterRuns, recordObjects } from "./run-filter.ts";
import type { CauseRecord, RunRecord } from "./run-record.ts";

/** Returns the state of a key in its queue; a `Controller` implements it. */
export interface KeyInspector {
  inspect(key: ObjectKey): KeyReport<ObjectKey, Cause> | undefined;
}

/** Question for `why`. */
export interface WhyQuestion {
  readonly key: ObjectKey;
  /** Only runs of this controller. @default all controllers */
  readonly controller?: string;
  /**
   * Kind of the object with this key: selects runs of controllers that reconcile the kind, and runs that the object caused for other keys.
   * @default any kind
   */
  readonly kind?: GroupKind;
  /** Returns the pending run of the key. @default the answer has no pending run */
  readonly inspector?: KeyInspector;
  /** What keeps the object from being reconciled, if the caller knows. @default none */
  readonly obstacles?: readonly Obstacle[];
  /** Maximum number of runs to return, the newest. @default 10 */
  readonly runsMax?: number;
}

/** State of a key in its queue. A delay that has not passed is no cause: `nextRunInMs` tells when it has. */
export interface PendingRecord extends Omit<KeyReport<ObjectKey, Cause>, "causes"> {
  readonly causes: readonly CauseRecord[];
}

/** The answer, as data. */
export interface Explanation {
  readonly key: ObjectKey;
  readonly kind?: GroupKind;
  readonly controller?: string;
  /** Time of the question, in milliseconds since 1970; for a tape read from lines, the end of its newest run. */
  readonly at: number;
  /** Newest last. */
  readonly runs: readonly RunRecord[];
  /** Number of runs on the tape, including those not returned. */
  readonly runCount: number;
  /** Absent without an inspector, or if the queue does not know the key. */
  readonly pending?: PendingRecord;
  /** What keeps the object from being reconciled; absent if nothing is known to. */
  readonly obstacles?: readonly Obstacle[];
}

/** Answers from a tape, or from runs returned by `readTape`. */
export function why(
  tape: RecordingTape | readonly RunRecord[],
  { key, controller, kind, inspector, obstacles = [], runsMax = 10 }: WhyQuestion,
): Explanation {
  const names = { key, ...definedOnly({ controller, kind }) };
  const source = isRecords(tape) ? sourceOf(tape) : tape;
  const report = inspector?.inspect(key);
  return {
    ...names,
    at: source.now(),
    runs: source.runs({ ...names, last: runsMax }),
    runCount: source.count(names),
    ...definedOnly({ pending: report && pendingOf(report, (causes) => source.describe(causes)) }),
    ...(obstacles.length === 0 ? {} : { obstacles }),
  };
}

/** Returns the causes of a pending run, without what a run asked for later if its time has not come. */
export function dueCauses({ causes, state, again }: Pick<KeyReport<ObjectKey, Cause>, "causes" | "state" | "again">): readonly Cause[] {
  return (again ?? state) === "waiting" ? causes.filter(({ type }) => type !== "after") : causes;
}

function pendingOf(report: KeyReport<ObjectKey, Cause>, describe: (causes: readonly Cause[]) => readonly CauseRecord[]): PendingRecord {
  const due = dueCauses(report);
  return { ...report, causes: describe(due), causeCount: report.causeCount - (report.causes.length - due.length) };
}

const isRecords = (tape: RecordingTape | readonly RunRecord[]): tape is readonly RunRecord[] => Array.isArray(tape);

/** Returns the queries of a tape that was read from lines. */
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
