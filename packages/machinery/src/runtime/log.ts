/**
 * Structured log lines: a message for people and fields for machines.
 *
 *     createLog({ clock, write }) → Log → one line of text per call
 */
import { errorText } from "../error-text.ts";
import { fieldsCode } from "../errors/problem-code.ts";
import { byteLength } from "../go/byte-text.ts";
import { setOwn } from "../json/own.ts";
import { formatTimeMillis } from "../values/time.ts";
import { callSafely } from "./call-safely.ts";
import type { Clock } from "./clock.ts";
import { jsonLine, logfmtLine, textLine } from "./log-format.ts";
import type { LogFormat, LogLine, TextStyle } from "./log-format.ts";
import { logLevelRank, parseLogLevels } from "./log-levels.ts";
import type { LogLevel, LogLevelText } from "./log-levels.ts";
import { logLineBytes, logValue } from "./log-value.ts";
import type { LogValue } from "./log-value.ts";
import { neverThrows } from "./never-throws.ts";

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): Log;
}

export interface LogOptions {
  readonly clock: Clock;
  /** Writes one line, without the line break. Exceptions and rejections are dropped: a full disk must not stop a controller. */
  readonly write: (line: string) => void;
  /** Lowest level that is written, also by the fields of a log: `"info,controller/webapp=debug"`. @default "info" */
  readonly level?: LogLevelText;
  /** "json" and "logfmt" for machines, "text" for people. @default "json" */
  readonly format?: LogFormat;
  /** Colours and width of lines for people. */
  readonly style?: TextStyle;
}

type Fields = { [key: string]: LogValue };
interface Binding {
  readonly bound: Fields;
  /** Whether errors show more than a sentence. */
  readonly hasDetails: boolean;
}

/**
 * Creates a log that writes lines: time (UTC, milliseconds), level, message and fields.
 *
 * Guarantees: never throws, whatever is logged; one call is one line of at most 128 KiB, since control characters are escaped and the
 * rest is cut off; values under names that look secret are hidden. Fields of `with` are read when it is called. An error is one
 * sentence; a log that writes level debug adds its stack, causes and fields.
 */
export function createLog({ clock, write, level: lowest = "info", format = "json", style }: LogOptions): Log {
  const levels = parseLogLevels(lowest);
  const print = bounded(format === "json" ? jsonLine : format === "logfmt" ? logfmtLine : textLine(style));
  const emit = (level: LogLevel, message: string, { bound, hasDetails }: Binding, fields: LogFields | undefined): void => {
    try {
      const shown = merged(bound, fields, hasDetails);
      const line = print({ time: timeText(clock.now()), level, message: messageText(message), fields: shown });
      // A failed write cannot be reported.
      callSafely(
        () => write(line),
        () => undefined,
      );
    } catch {
      // The clock failed.
    }
  };
  const logWith = (bound: Fields): Log => {
    const lowestHere = levels.lowestFor(bound);
    const binding: Binding = { bound, hasDetails: lowestHere === "debug" };
    const at = (level: LogLevel): Log["info"] =>
      logLevelRank[level] < logLevelRank[lowestHere] ? () => undefined : (message, fields) => emit(level, message, binding, fields);
    return neverThrows({
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      with: (fields) => logWith(merged(bound, fields, binding.hasDetails)),
    });
  };
  return logWith({});
}

/** Values are cut by their length; a line that is still too long, because of escapes and wide characters, keeps only short fields. */
function bounded(print: (line: LogLine) => string): (line: LogLine) => string {
  const { limit } = logLineBytes;
  return (line) => {
    const whole = print(line);
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (whole.length * 3 <= limit || byteLength(whole) <= limit) return whole;
    return print({ ...line, fields: { ...shortOnes(line.fields), "…": `further fields would exceed ${limit} bytes` } });
  };
}

function shortOnes(fields: Fields): Fields {
  const isShort = (value: LogValue): boolean => typeof value === "number" || (typeof value === "string" && value.length <= 256);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([key, value]) => key.length <= 64 && isShort(value))
      .slice(0, 20),
  );
}

// Every character may become an escape of six bytes, and the message is not the whole line.
const messageMax = logLineBytes.limit / 8;

/** The message is text by its type only. */
function messageText(message: unknown): string {
  const text = typeof message === "string" ? message : errorText(message);
  return text.length > messageMax ? `${text.slice(0, messageMax)}… ${text.length - messageMax} more` : text;
}

function merged(bound: Fields, fields: LogFields | undefined, hasDetails: boolean): Fields {
  if (fields === undefined) return bound;
  const own = logValue(fields, { errors: "sentence" });
  if (!isFields(own)) return { ...bound, fields: own };
  const details = hasDetails ? logValue(fields, { errors: "stack" }) : own;
  const all: Fields = {};
  const code = fieldsCode(fields);
  for (const source of [bound, own, code === undefined ? {} : { code }])
    for (const [key, value] of Object.entries(source)) setOwn(all, key, value);
  if (hasDetails && isFields(details))
    // What is a sentence in one form and has parts in the other is an error.
    for (const [key, value] of Object.entries(details))
      if (typeof own[key] === "string" && isFields(value)) setOwn(all, `${key}Details`, value);
  return all;
}

const isFields = (value: LogValue): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

function timeText(epochMs: number): string {
  try {
    return formatTimeMillis(epochMs);
  } catch {
    return String(epochMs);
  }
}
