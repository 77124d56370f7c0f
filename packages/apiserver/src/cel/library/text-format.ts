/** `"%s has %d".format([a, b])`. */
import { formatGoFloat, quoteGo } from "@drover/machinery";
import { entriesOf } from "../value/collections.ts";
import { toDouble, toText } from "../value/convert.ts";
import { failure, isFailure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { fixedDigits } from "../value/fixed-digits.ts";
import { printDuration, printTimestamp } from "../value/time.ts";
import { itemsOf, kindOf, typeName } from "../value/value.ts";
import type { CelList, CelMap, CelValue } from "../value/value.ts";

/** A clause of a format: its letter and optional precision. */
export interface FormatClause {
  readonly verb: string;
  readonly decimals: number | undefined;
}

/** Splits a format into text and clauses, or returns the problem. */
export function parseFormat(format: string): readonly (string | FormatClause)[] | { readonly problem: string } {
  const parts: (string | FormatClause)[] = [];
  for (const piece of format.match(/%%|%\.\d*[^]?|%[^]?|[^%]+/g) ?? []) {
    if (!piece.startsWith("%")) parts.push(piece);
    else if (piece === "%%") parts.push("%");
    else {
      const [, dot, verb = ""] = /^%(?:\.(\d*))?([^]?)$/.exec(piece) ?? [];
      if (piece === "%") return { problem: "unexpected end of string" };
      if (dot !== undefined && verb === "")
        return { problem: "could not parse formatting clause: error while parsing precision: could not find end of precision specifier" };
      if (dot === "")
        return {
          problem:
            'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
        };
      if (!/^[sdfebxXo]$/.test(verb)) return { problem: `could not parse formatting clause: unrecognized formatting clause "${verb}"` };
      parts.push({ verb, decimals: dot === undefined ? undefined : Number(dot) });
    }
  }
  return parts;
}

/** The types that a clause accepts, as the failure names them. */
export const clauseWants: ReadonlyMap<string, readonly [kinds: readonly string[], message: string]> = new Map([
  [
    "s",
    [
      ["list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null"],
      "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given",
    ],
  ],
  ["d", [["int", "uint"], "decimal clause can only be used on integers, was given"]],
  ["f", [["double", "string"], "fixed-point clause can only be used on doubles, was given"]],
  ["e", [["double", "string"], "scientific clause can only be used on doubles, was given"]],
  ["b", [["int", "uint", "bool"], "only integers and bools can be formatted as binary, was given"]],
  ["x", [["int", "uint", "string", "bytes"], "only integers, byte buffers, and strings can be formatted as hex, was given"]],
  ["X", [["int", "uint", "string", "bytes"], "only integers, byte buffers, and strings can be formatted as hex, was given"]],
  ["o", [["int", "uint"], "octal clause can only be used on integers, was given"]],
]);

/** Formats the text. */
export function formatText(format: string, list: CelList): string | CelFailure {
  const args = itemsOf(list);
  if (isFailure(args)) return args;
  const parts = parseFormat(format);
  if ("problem" in parts) return failure(parts.problem);
  let made = "";
  let next = 0;
  for (const part of parts) {
    if (typeof part === "string") made += part;
    else {
      const arg = args[next];
      if (arg === undefined) return failure(`index ${next} out of range`);
      const text = formatArg(arg, part);
      if (isFailure(text)) return failure(`error during formatting: ${text.message}`);
      made += text;
      next++;
    }
  }
  return made;
}

const words: ReadonlySet<CelValue> = new Set(["NaN", "Infinity", "-Infinity"]);

function formatArg(arg: CelValue, { verb, decimals }: FormatClause): string | CelFailure {
  const [kinds, message] = clauseWants.get(verb) ?? [[], ""];
  const isReal = verb === "f" || verb === "e";
  if (!kinds.includes(kindOf(arg)) || (isReal && typeof arg === "string" && !words.has(arg))) return failure(`${message} ${typeName(arg)}`);
  if (verb === "s") return plain(arg);
  if (isReal) {
    const number = toDouble(arg);
    return isFailure(number) ? number : verb === "f" ? fixed(number, decimals ?? 6) : scientific(number, decimals ?? 6);
  }
  if (typeof arg === "boolean") return arg ? "1" : "0";
  if (typeof arg === "string" || arg instanceof Uint8Array)
    return hexBytes(typeof arg === "string" ? new TextEncoder().encode(arg) : arg, verb);
  const whole =
    typeof arg === "bigint" ? arg : typeof arg === "object" && arg !== null && "kind" in arg && arg.kind === "uint" ? arg.value : 0n;
  const text = whole.toString(verb === "d" ? 10 : verb === "b" ? 2 : verb === "o" ? 8 : 16);
  return verb === "X" ? text.toUpperCase() : text;
}

const hexBytes = (bytes: Uint8Array, verb: string): string =>
  Array.from(bytes, (byte) => (verb === "X" ? byte.toString(16).toUpperCase() : byte.toString(16)).padStart(2, "0")).join("");

/** With thousands separators. Go's printer keeps the number of decimals that it fills up with zeros in one byte. */
function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return special(value);
  const [whole = "", fraction = ""] = fixedDigits(value === 0 ? 0 : value, decimals).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ",");
  const shown = fraction.replace(/0+$/, "").padEnd(decimals % 256, "0");
  return shown === "" ? grouped : `${grouped}.${shown}`;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const widthMax = 1000;

/** `1.052033×10⁰³`. There are always six decimals: cel-go takes the number in the clause for the width. */
function scientific(value: number, width: number): string {
  const text = Number.isFinite(value) ? powerOfTen(value) : special(value);
  return text.padStart(Math.min(width, widthMax));
}

function powerOfTen(value: number): string {
  const [up = "", power = "0"] = value.toExponential(6).split("e");
  // JavaScript rounds exact halves up, Go to even.
  const [, first, more] = /^0*([1-9])(\d{5}[02468])50*$/.exec(fixedDigits(Math.abs(value), Infinity).replace(".", "")) ?? [];
  const mantissa = first === undefined ? up : `${value < 0 ? "-" : ""}${first}.${more}`;
  const digits = String(Math.abs(Number(power)))
    .padStart(2, "0")
    .replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? digit);
  return `${mantissa}×10${Number(power) < 0 ? "⁻" : ""}${digits}`;
}

const special = (value: number): string => (Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞");

function plain(value: CelValue): string | CelFailure {
  if (typeof value === "object" && value !== null && "kind" in value) {
    if (value.kind === "list") return listText(value);
    if (value.kind === "map") return mapText(value);
  }
  return toText(value);
}

/** Prints a value inside a list or map: strings quoted, timestamps as calls. */
function nested(value: CelValue): string | CelFailure {
  if (typeof value === "string") return quoteGo(value);
  if (typeof value === "number") return Number.isFinite(value) ? fixedDigits(value, 6) : quoteGo(formatGoFloat(value));
  if (value instanceof Uint8Array) {
    const text = toText(value);
    return isFailure(text) ? text : `b${quoteGo(text)}`;
  }
  if (typeof value === "object" && value !== null) {
    if (value.kind === "duration") return `duration(${quoteGo(printDuration(value))})`;
    if (value.kind === "timestamp") return `timestamp(${quoteGo(printTimestamp(value))})`;
    if (value.kind === "object" || value.kind === "optional" || value.kind === "unknown")
      return failure(`no formatting function for ${typeName(value)}`);
  }
  return plain(value);
}

function listText(list: CelList): string | CelFailure {
  const items = itemsOf(list);
  if (isFailure(items)) return items;
  const texts: string[] = [];
  for (const item of items) {
    const text = nested(item);
    if (isFailure(text)) return text;
    texts.push(text);
  }
  return `[${texts.join(", ")}]`;
}

const keyKinds: ReadonlySet<string> = new Set(["string", "bool", "int", "uint"]);

function mapText(map: CelMap): string | CelFailure {
  const entries = entriesOf(map);
  if (isFailure(entries)) return entries;
  const pairs: (readonly [string, string])[] = [];
  for (const [key, value] of entries) {
    if (!keyKinds.has(kindOf(key))) return failure(`no formatting function for map key of type ${typeName(key)}`);
    const [name, text] = [nested(key), nested(value)];
    if (isFailure(name)) return name;
    if (isFailure(text)) return text;
    pairs.push([name, text]);
  }
  return `{${pairs
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, text]) => `${name}:${text}`)
    .join(", ")}}`;
}
