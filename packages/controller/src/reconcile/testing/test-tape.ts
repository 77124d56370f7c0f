/** A tape that keeps everything it receives, for tests. */
import type { CallRecord, ResultRecord } from "../../tape/run-record.ts";
import type { RunStart, Tape } from "../../tape/tape.ts";

/** One recorded run. */
export interface TapedRun {
  readonly start: RunStart;
  readonly calls: CallRecord[];
  result?: ResultRecord;
}

export interface TestTape extends Pick<Tape, "begin"> {
  readonly records: TapedRun[];
}

/** Returns an empty tape. */
export function testTape(): TestTape & Tape {
  const records: TapedRun[] = [];
  return {
    records,
    runs: () => [],
    begin: (start) => {
      const taped: TapedRun = { start, calls: [] };
      records.push(taped);
      return {
        call: (call) => taped.calls.push(call),
        end: (result) => {
          taped.result = result;
        },
      };
    },
  };
}
