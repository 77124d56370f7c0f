/** A log that keeps only our own bugs: scenes log a lot that nothing reads. */
import type { Log, LogFields } from "@drover/machinery";

export interface MistakeLog extends Log {
  /** Errors that no injected fault explains, with their stacks, in the order of logging. */
  readonly mistakes: readonly string[];
}

export function mistakeLog(): MistakeLog {
  const mistakes: string[] = [];
  const look = (message: string, fields: LogFields = {}): void => {
    for (const value of Object.values(fields)) if (isMistake(value)) mistakes.push(`${message}: ${value.stack ?? String(value)}`);
  };
  const log: MistakeLog = {
    mistakes,
    debug: look,
    info: look,
    warn: look,
    error: look,
    with: (fields) => {
      look("logged with every line", fields);
      return log;
    },
  };
  return log;
}

const isMistake = (value: unknown): value is Error =>
  value instanceof TypeError || value instanceof RangeError || value instanceof ReferenceError;
