/**
 * What happened, in order, for those who ask later: every run with its causes, its calls and its result. Bounded, in memory.
 *
 *     controller → Tape.begin → RunTape.call … → RunTape.end        Tape.runs, why, exportTape ← people
 */
import type { ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import type { CallRecord, ResultRecord, RunRecord } from "./run-record.ts";

/** What is known when a run begins. */
export interface RunStart {
  readonly run: string;
  readonly controller: string;
  readonly key: ObjectKey;
  readonly causes: readonly Cause[];
  readonly causeCount: number;
  readonly attempts: number;
  readonly waitedMs: number;
}

/** One run that is being taped. Costs next to nothing: nothing is read, compared or printed until somebody asks. */
export interface RunTape {
  call(call: CallRecord): void;
  end(result: ResultRecord): void;
}

export interface Tape {
  begin(start: RunStart): RunTape;
  /** Runs, the newest last: of one controller, of one key, or all. */
  runs(filter?: { readonly controller?: string; readonly key?: ObjectKey }): readonly RunRecord[];
}
