/** A log that records its lines, for tests. */
import type { Clock } from "../runtime/clock.ts";
import { neverThrows } from "../runtime/never-throws.ts";
import { createLog } from "../runtime/log.ts";
import type { Log, LogFields } from "../runtime/log.ts";
import type { LogLevel } from "../runtime/log-levels.ts";

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  /** The fields as passed, including those of `with`. */
  readonly fields: LogFields;
}

export interface RecordingLog extends Log {
  /** Every call, in order. */
  readonly entries: readonly LogEntry[];
  /** The same as lines of JSON, exactly as a real log would write them. */
  readonly lines: readonly string[];
}

/** Returns a log of all levels that writes nowhere. Logs created from it by `with` record into the same lists. */
export function recordingLog(clock: Clock): RecordingLog {
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const recorded = (log: Log, bound: LogFields): Log => {
    const at =
      (level: LogLevel): Log["info"] =>
      (message, fields = {}) => {
        entries.push({ level, message, fields: { ...bound, ...fields } });
        log[level](message, fields);
      };
    return neverThrows({
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      with: (fields) => recorded(log.with(fields), { ...bound, ...fields }),
    });
  };
  return neverThrows({ ...recorded(createLog({ clock, level: "debug", write: (line) => lines.push(line) }), {}), entries, lines });
}
