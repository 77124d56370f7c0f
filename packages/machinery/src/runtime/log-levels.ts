/**
 * Which lines a log writes, as text that fits into an environment variable.
 *
 *     "info,controller/webapp=debug" → parseLogLevels → LogLevels → the lowest level of a log with these fields
 */

export type LogLevel = "debug" | "info" | "warn" | "error";

/** A level for all logs, and other levels for logs by their fields: `"info,controller/webapp=debug,reflector=warn"`. */
export type LogLevelText = LogLevel | `${LogLevel},${string}`;

export interface LogLevels {
  /** The lowest level that a log with these fields writes. */
  readonly lowestFor: (fields: Readonly<Record<string, unknown>>) => LogLevel;
}

interface Rule {
  readonly field: string;
  /** Undefined for any value. */
  readonly value: string | undefined;
  readonly level: LogLevel;
}

/** The larger, the more important. */
export const logLevelRank: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

const partsMax = 100;

/**
 * Parses a comma-separated list: one level for everything else (`info` if there is none), and `FIELD=LEVEL` or `FIELD/VALUE=LEVEL` for
 * logs with a field, such as `controller/webapp=debug`. Of several that fit, the last one counts. Throws a `TypeError` that names the
 * part which is wrong.
 */
export function parseLogLevels(text: string): LogLevels {
  const parts = text
    .split(",", partsMax + 1)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length > partsMax) throw new TypeError(`log level (logLevel, DROVER_LOG): more than ${partsMax} levels`);
  let base: LogLevel = "info";
  const rules: Rule[] = [];
  for (const part of parts) {
    const equals = part.lastIndexOf("=");
    const level = part.slice(equals + 1);
    if (!isLevel(level))
      throw new TypeError(
        `log level (logLevel, DROVER_LOG): ${JSON.stringify(shortened(part))} has no level\n  fix: debug, info, warn or error, as in "info,controller/webapp=debug"`,
      );
    if (equals < 0) base = level;
    else rules.push({ ...scopeOf(part.slice(0, equals)), level });
  }
  return {
    lowestFor: (fields) =>
      rules.findLast(({ field, value }) => Object.hasOwn(fields, field) && (value === undefined || fields[field] === value))?.level ?? base,
  };
}

const isLevel = (text: string): text is LogLevel => Object.hasOwn(logLevelRank, text);

/** Names of controllers have no slash; kinds and leases may. */
function scopeOf(scope: string): Pick<Rule, "field" | "value"> {
  const slash = scope.indexOf("/");
  return slash < 0 ? { field: scope, value: undefined } : { field: scope.slice(0, slash), value: scope.slice(slash + 1) };
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
