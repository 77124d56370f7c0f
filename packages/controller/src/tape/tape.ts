/**
 * Records every run with its causes, calls and result, in bounded memory.
 *
 *     controller → Tape.begin → RunTape.call … → RunTape.end        Tape.runs, why, exportTape ← people
 */
import type { ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import type { CallRecord, ResultRecord, RunRecord } from "./run-record.ts";

/** Facts known when a run starts. */
export interface RunStart {
  readonly run: string;
  readonly controller: string;
  readonly key: ObjectKey;
  readonly causes: readonly Cause[];
  readonly causeCount: number;
  readonly attempts: number;
  readonly waitedMs: number;
}

/** One run being recorded. Recording is cheap: nothing is parsed, compared or printed until the tape is read. */
export interface RunTape {
  /** Returns headers to send with the writes of this run: for a development cluster that prints why they were made. @default none */
  headers?(): Readonly<Record<string, string>>;
  call(call: CallRecord): void;
  end(result: ResultRecord): void;
}

/** Records runs of controllers. */
export interface Tape {
  begin(start: RunStart): RunTape;
  /** Returns runs, newest last: of one controller, of one key, or all. */
  runs(filter?: { readonly controller?: string; readonly key?: ObjectKey }): readonly RunRecord[];
}
