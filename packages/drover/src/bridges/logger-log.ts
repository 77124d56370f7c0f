/**
 * Drover's log lines through the logger of a program.
 *
 *     pinoLog(pino()), loggerLog(console) → Log → nodeRuntime({ log })
 */
import { callSafely, logValue } from "@drover/machinery";
import type { Log, LogFields } from "@drover/machinery";
import { fieldsCode } from "@drover/machinery/codes";

/** The part of a pino logger that is used: fields come first, then the message. */
export interface PinoLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A logger that takes the message first, then fields: `console`, winston. */
export interface MessageLogger {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

type Level = "debug" | "info" | "warn" | "error";
const levels: readonly Level[] = ["debug", "info", "warn", "error"];

/**
 * Returns a log that writes to a pino logger, or to one with the same methods, such as bunyan. Its level decides what is written.
 *
 * Guarantees: never throws, whatever the logger does; fields are plain data of bounded size, and values under names that look secret are
 * hidden, as in Drover's own log.
 */
export function pinoLog(logger: PinoLogger): Log {
  check("pinoLog", logger);
  return logOf((level, message, fields) => logger[level](fields, message));
}

/** Returns a log that writes to `console`, winston, or another logger that takes the message first. Guarantees the same as `pinoLog`. */
export function loggerLog(logger: MessageLogger): Log {
  check("loggerLog", logger);
  return logOf((level, message, fields) => (Object.keys(fields).length === 0 ? logger[level](message) : logger[level](message, fields)));
}

type Emit = (level: Level, message: string, fields: object) => void;

/** Fields are merged here: children of loggers keep what they are given, also secrets. */
function logOf(emit: Emit, bound: object = {}): Log {
  const at =
    (level: Level): Log["info"] =>
    (message, fields) =>
      // A failed write cannot be reported.
      callSafely(
        () => emit(level, message, fields === undefined ? bound : { ...bound, ...plain(fields) }),
        () => undefined,
      );
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => logOf(emit, { ...bound, ...plain(fields) }),
  };
}

function plain(fields: LogFields): object {
  const value = logValue(fields);
  const code = fieldsCode(fields);
  const shown = typeof value === "object" && value !== null ? value : {};
  return code === undefined ? shown : Object.assign({ code }, shown);
}

function check(name: string, logger: unknown): void {
  const missing = levels.find((method) => typeof (logger as Record<string, unknown> | undefined)?.[method] !== "function");
  if (missing !== undefined)
    throw new TypeError(
      `${name}: the logger has no method ${missing}\n  fix: ${name === "pinoLog" ? "pinoLog(pino())" : "loggerLog(console)"}`,
    );
}
