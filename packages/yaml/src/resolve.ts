/** Types of plain scalars: YAML 1.1 as Kubernetes parses it. `yes`, `on` and `y` are true; 0777 is 511; 1_000 is 1000; dates stay text. */

/** Scalar types, by the ends of their tags. */
export type ScalarType = "str" | "bool" | "int" | "float" | "null" | "timestamp";

export interface Resolved {
  readonly type: ScalarType;
  readonly value: null | boolean | number | bigint | string;
}

const words: ReadonlyMap<string, Resolved> = new Map<string, Resolved>([
  ...meaning({ type: "bool", value: true }, spellings("y", "yes", "true", "on")),
  ...meaning({ type: "bool", value: false }, spellings("n", "no", "false", "off")),
  ...meaning({ type: "null", value: null }, ["", "~", ...spellings("null")]),
  ...meaning({ type: "float", value: NaN }, [".nan", ".NaN", ".NAN"]),
  ...meaning({ type: "float", value: Infinity }, [".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"]),
  ...meaning({ type: "float", value: -Infinity }, ["-.inf", "-.Inf", "-.INF"]),
]);

/** Resolves a text without quotes and tag. */
export function resolve(text: string): Resolved {
  if (text !== "" && !/^[-+.0-9yYnNtTfFoO~]/.test(text)) return { type: "str", value: text };
  const word = words.get(text);
  if (word !== undefined) return word;
  if (/^[-+0-9]/.test(text)) return resolveNumber(text);
  if (/^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/.test(text)) return resolveFloat(text, text.replaceAll("_", ""));
  return { type: "str", value: text };
}

function resolveNumber(text: string): Resolved {
  if (isTimestamp(text)) return { type: "timestamp", value: text };
  const digits = text.replaceAll("_", "");
  const integer = parseInteger(digits);
  if (integer !== undefined) return { type: "int", value: integer };
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(digits)) return resolveFloat(text, digits);
  return { type: "str", value: text };
}

/** A number too large for a float is not a number. */
function resolveFloat(text: string, digits: string): Resolved {
  const value = Number(digits);
  return Number.isFinite(value) ? { type: "float", value } : { type: "str", value: text };
}

/** Parses a 64-bit integer, signed or not: decimal, 0x, 0b, 0o, or octal after a leading zero. */
function parseInteger(text: string): number | bigint | undefined {
  if (/^[-+]?(?:0|[1-9][0-9]{0,14})$/.test(text)) return Number(text) || 0; // never −0
  const [, sign, magnitude] = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9][0-9]*)$/.exec(text) ?? signedBinary(text);
  if (magnitude === undefined) return undefined;
  const absolute = BigInt(/^0[0-7]/.test(magnitude) ? `0o${magnitude}` : magnitude);
  const value = sign === "-" ? -absolute : absolute;
  if (value < -(2n ** 63n) || value >= (sign === "" ? 2n ** 64n : 2n ** 63n)) return undefined;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** "0b-1", which Go's parser accepts as −1. */
function signedBinary(text: string): readonly [string?, string?, string?] {
  const match = /^0b([-+])([01]+)$/.exec(text);
  return match === null ? [] : [text, match[1] ?? "", `0b${match[2]}`];
}

/** Whether a text is a date, or date and time, in a form of YAML's timestamp type. */
export function isTimestamp(text: string): boolean {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:([Tt])| )(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[-+]\d\d:\d\d)?)?$/.exec(text);
  if (match === null) return false;
  const [, year, month, day, letter, hour, minute, second, zone] = match;
  if (hour !== undefined && (letter === undefined) !== (zone === undefined)) return false;
  const inDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysInMonth(Number(year), Number(month));
  const inTime = Number(hour ?? 0) < 24 && Number(minute ?? 0) < 60 && Number(second ?? 0) < 60;
  const inZone = zone === undefined || zone === "Z" || (Number(zone.slice(1, 3)) <= 24 && Number(zone.slice(4)) <= 60);
  return inDay && inTime && inZone;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function meaning(resolved: Resolved, texts: readonly string[]): [string, Resolved][] {
  return texts.map((text) => [text, resolved]);
}

/** Returns a word as YAML 1.1 spells it: lower case, capitalized, upper case. */
function spellings(...names: readonly string[]): string[] {
  return names.flatMap((name) => [name, name.charAt(0).toUpperCase() + name.slice(1), name.toUpperCase()]);
}
