/**
 * Structured log lines: a message for people and fields for machines.
 *
 *     createLog({ clock, write }) → Log → one line of text per call
 */
import { errorText } from "../error-text.ts";
import { byteLength } from "../go/byte-text.ts";
import { setOwn } from "../json/own.ts";
import { formatTimeMillis } from "../values/time.ts";
import { callSafely } from "./call-safely.ts";
import type { Clock } from "./clock.ts";
import { neverThrows } from "./never-throws.ts";
import { logLineBytes, logValue } from "./log-value.ts";
import type { LogValue } from "./log-value.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
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
  /** Lowest level that is written. @default "info" */
  readonly level?: LogLevel;
  /** "json" for machines, one object per line; "text" for people, `key=value` after the message. @default "json" */
  readonly format?: "json" | "text";
}

const rank: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

interface Line {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Fields;
}
type Fields = { [key: string]: LogValue };

/**
 * Creates a log that writes lines: time (UTC, milliseconds), level, message and fields.
 *
 * Guarantees: never throws, whatever is logged; one call is one line of at most 128 KiB, since control characters are escaped and the
 * rest is cut off; values under names that look secret are hidden. Fields of `with` are read when it is called. Errors show their
 * stack on level error only.
 */
export function createLog({ clock, write, level: lowest = "info", format = "json" }: LogOptions): Log {
  const print = bounded(format === "json" ? jsonLine : textLine);
  const emit = (level: LogLevel, message: string, bound: Fields, fields: LogFields | undefined): void => {
    try {
      const shown = merged(bound, fields, level === "error");
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
    const at = (level: LogLevel): Log["info"] =>
      rank[level] < rank[lowest] ? () => undefined : (message, fields) => emit(level, message, bound, fields);
    return neverThrows({
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      with: (fields) => logWith(merged(bound, fields, false)),
    });
  };
  return logWith({});
}

/** Values are cut by their length; a line that is still too long, because of escapes and wide characters, keeps only short fields. */
function bounded(print: (line: Line) => string): (line: Line) => string {
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

function merged(bound: Fields, fields: LogFields | undefined, stacks: boolean): Fields {
  if (fields === undefined) return bound;
  const own = logValue(fields, { stacks });
  if (typeof own !== "object" || own === null || Array.isArray(own)) return { ...bound, fields: own };
  const all: Fields = {};
  for (const source of [bound, own]) for (const [key, value] of Object.entries(source)) setOwn(all, key, value);
  return all;
}

function timeText(epochMs: number): string {
  try {
    return formatTimeMillis(epochMs);
  } catch {
    return String(epochMs);
  }
}

/** Names used by the line itself; a field of the same name gets an underscore, so that readers are not misled. */
const reserved: ReadonlySet<string> = new Set(["time", "level", "msg"]);

function jsonLine({ time, level, message, fields }: Line): string {
  const line: Fields = { time, level, msg: message };
  for (const [key, value] of Object.entries(fields)) setOwn(line, reserved.has(key) ? `${key}_` : key, value);
  // JSON leaves these two unescaped, but many readers treat them as line breaks, along with U+0085 and DEL.
  return JSON.stringify(line).replace(/[\u007f-\u009f\u2028\u2029]/g, escapeUnit);
}

function textLine({ time, level, message, fields }: Line): string {
  const pairs = Object.entries(fields).map(
    ([key, value]) => ` ${word(key)}=${typeof value === "string" ? word(value) : escapeControls(JSON.stringify(value))}`,
  );
  return `${time} ${level.toUpperCase().padEnd(5)} ${escapeControls(message)}${pairs.join("")}`;
}

const word = (text: string): string => (/^[^\s"=\\\p{Cc}\p{Cf}]+$/u.test(text) ? text : escapeControls(JSON.stringify(text)));

/** Terminals obey control characters and reorder text at format characters; a log shows them escaped. */
const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.slice(index))).join(""),
  );

const escapeUnit = (text: string): string => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`;
