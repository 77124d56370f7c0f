/**
 * The forms of a log line.
 *
 *     LogLine → jsonLine, logfmtLine, textLine → text without a line break
 */
import { isProblemCode } from "../errors/problem-code.ts";
import { setOwn } from "../json/own.ts";
import type { LogLevel } from "./log-levels.ts";
import type { LogValue } from "./log-value.ts";

/** "json" and "logfmt" are for machines, "text" is for people. */
export type LogFormat = "json" | "logfmt" | "text";

/** How lines for people look on a terminal. */
export interface TextStyle {
  /** @default false */
  readonly hasColor?: boolean;
  /** Columns after which a line is wrapped between words; read for each line. @default never */
  readonly columns?: number;
}

export interface LogLine {
  /** UTC with milliseconds. */
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Fields;
}
type Fields = { [key: string]: LogValue };

/** Names used by the line itself; a field of the same name gets an underscore, so that readers are not misled. */
const reserved: ReadonlySet<string> = new Set(["time", "level", "msg"]);
const keyOf = (name: string): string => (reserved.has(name) ? `${name}_` : name);

export function jsonLine({ time, level, message, fields }: LogLine): string {
  const line: Fields = { time, level, msg: message };
  for (const [key, value] of Object.entries(fields)) setOwn(line, keyOf(key), value);
  // JSON leaves these two unescaped, but many readers treat them as line breaks, along with U+0085 and DEL.
  return JSON.stringify(line).replace(/[\u007f-\u009f\u2028\u2029]/g, escapeUnit);
}

export function logfmtLine({ time, level, message, fields }: LogLine): string {
  const pairs = Object.entries(fields).map(([key, value]) => ` ${pair(keyOf(key), value)}`);
  return `time=${word(time)} level=${level} msg=${word(message)}${pairs.join("")}`;
}

/**
 * Returns the printer of lines for people: time of day in UTC, level, the controller and its object, message and error as a sentence,
 * then the other fields, and the code of the problem in brackets.
 */
export function textLine(style: TextStyle = {}): (line: LogLine) => string {
  return ({ time, level, message, fields }) => {
    const { hasColor = false, columns = Infinity } = style;
    const { controller, key, error, ...others } = withoutCode(fields);
    const subject = [controller, key].flatMap((part) => (typeof part === "string" ? [escapeControls(part)] : []));
    const isSentence = typeof error === "string";
    const sentence = [subject.join(" "), escapeControls(message), ...(isSentence ? [escapeControls(error)] : [])].filter(
      (part) => part !== "",
    );
    const code = codeOf(fields);
    const rest = [
      ...Object.entries(isShown(controller) || controller === undefined ? {} : { controller }),
      ...Object.entries(isShown(key) || key === undefined ? {} : { key }),
      ...Object.entries(isSentence || error === undefined ? {} : { error }),
      ...Object.entries(others),
    ].map(([name, value]) => pair(name, value));
    const clock = /T(\d\d:\d\d:\d\d)/.exec(time)?.[1];
    const parts: Part[] = [
      { text: clock === undefined ? time : `${clock}Z`, color: dim },
      { text: level.toUpperCase().padEnd(5), color: colors[level] },
      ...sentence
        .join(": ")
        .split(" ")
        .map((text) => ({ text, color: "" })),
      ...rest.map((text) => ({ text, color: dim })),
      ...(code === undefined || sentence.some((part) => part.includes(code)) ? [] : [{ text: code, color: "" }]),
    ];
    return wrapped(parts, columns, hasColor);
  };
}

const codeOf = ({ code }: Fields): string | undefined => (isProblemCode(code) ? `[${code}]` : undefined);

function withoutCode(fields: Fields): Fields {
  if (codeOf(fields) === undefined) return fields;
  const { code: _code, ...others } = fields;
  return others;
}

interface Part {
  readonly text: string;
  /** Number of an ANSI style; empty for none. */
  readonly color: string;
}

const dim = "2";
const colors: Readonly<Record<LogLevel, string>> = { debug: dim, info: "36", warn: "33", error: "31" };
const indent = "    ";

const isShown = (value: LogValue | undefined): boolean => typeof value === "string";

/** Joins parts with spaces, and with line breaks where the next part would not fit. */
function wrapped(parts: readonly Part[], columns: number, hasColor: boolean): string {
  let text = "";
  let column = 0;
  for (const part of parts) {
    const isFirst = text === "";
    const breaks = !isFirst && column + 1 + part.text.length > columns && column > indent.length;
    text += `${isFirst ? "" : breaks ? `\n${indent}` : " "}${painted(part, hasColor)}`;
    column = (isFirst ? 0 : breaks ? indent.length : column + 1) + part.text.length;
  }
  return text;
}

const painted = ({ text, color }: Part, hasColor: boolean): string =>
  hasColor && color !== "" ? `\u001b[${color}m${text}\u001b[0m` : text;

const pair = (key: string, value: LogValue): string =>
  `${word(key)}=${typeof value === "string" ? word(value) : escapeControls(JSON.stringify(value))}`;

const word = (text: string): string => (/^[^\s"=\\\p{Cc}\p{Cf}]+$/u.test(text) ? text : escapeControls(JSON.stringify(text)));

/** Terminals obey control characters and reorder text at format characters; a log shows them escaped. */
const escapeControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.slice(index))).join(""),
  );

const escapeUnit = (text: string): string => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`;
