/** Functions on strings: positions count code points, and case applies to ASCII letters. */
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { printKey } from "../value/collections.ts";
import { failure, isFailure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { itemsOf, listOf } from "../value/value.ts";
import type { CelList, CelValue } from "../value/value.ts";
import { limitCharacters } from "../value/work-limit.ts";
import { formatText } from "./text-format.ts";

const outOfRange = (index: bigint): CelFailure => failure(`index out of range: ${index}`);

function charAt(text: string, index: bigint): string | CelFailure {
  const chars = Array.from(text);
  return index < 0n || index > chars.length ? outOfRange(index) : (chars[Number(index)] ?? "");
}

/** Returns the first index of `part` at or after an offset. */
function indexOf(text: string, part: string, offset = 0n): bigint | CelFailure {
  if (part === "") return offset;
  if (offset < 0n) return outOfRange(offset);
  const chars = Array.from(text);
  if (offset >= chars.length) return -1n;
  const skipped = chars.slice(0, Number(offset)).join("").length;
  const found = text.indexOf(part, skipped);
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length);
}

/** Returns the last index of `part` at or before an offset. */
function lastIndexOf(text: string, part: string, offset?: bigint): bigint | CelFailure {
  const chars = Array.from(text);
  if (part === "") return offset ?? BigInt(chars.length);
  if (offset !== undefined && offset < 0n) return outOfRange(offset);
  if (offset !== undefined && offset >= chars.length) return -1n;
  const limit = offset === undefined ? text.length : chars.slice(0, Number(offset)).join("").length;
  const found = text.lastIndexOf(part, limit);
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length);
}

function substring(text: string, start: bigint, end?: bigint): string | CelFailure {
  const chars = Array.from(text);
  if (end !== undefined && start > end) return failure(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > chars.length) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > chars.length)) return outOfRange(end);
  return chars.slice(Number(start), end === undefined ? undefined : Number(end)).join("");
}

/** Replaces the first `limit` occurrences; all for a negative limit. An empty `part` matches between code points. */
function replace(text: string, part: string, by: string, limit = -1n): string {
  limitCharacters(text.length + (part === "" ? text.length + 1 : Math.floor(text.length / part.length)) * by.length);
  if (limit < 0n) return part === "" ? by + Array.from(text, (char) => char + by).join("") : text.replaceAll(part, () => by);
  const pieces = part === "" ? ["", ...Array.from(text), ""] : text.split(part);
  const count = Math.min(Number(limit), part === "" ? Array.from(text).length + 1 : pieces.length - 1);
  if (count === 0) return text;
  if (part === "")
    return (
      Array.from(text).reduce((made, char, index) => made + (index < count ? by : "") + char, "") +
      (count > Array.from(text).length ? by : "")
    );
  return pieces.slice(0, count).join(by) + by + pieces.slice(count).join(part);
}

function split(text: string, separator: string, limit = -1n): CelValue {
  if (limit === 0n) return listOf([]);
  const pieces = separator === "" ? Array.from(text) : text.split(separator);
  if (limit < 0n || pieces.length <= limit) return listOf(pieces);
  const kept = Number(limit) - 1;
  return listOf([...pieces.slice(0, kept), pieces.slice(kept).join(separator)]);
}

function join(list: CelList, separator = ""): string | CelFailure {
  const items = itemsOf(list);
  if (isFailure(items)) return items;
  limitCharacters(items.length * separator.length);
  const texts = items.filter((item) => typeof item === "string");
  return texts.length === items.length
    ? texts.join(separator)
    : failure(`join: invalid input: ${printKey(items.find((item) => typeof item !== "string") ?? null)}`);
}

const quotes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const quote = (text: string): string => `"${text.replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (char) => quotes[char] ?? char)}"`;
const space =
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

/** The overloads. */
export const textFunctions: readonly Overload[] = [
  overload("string_char_at_int", "string . charAt(int) string", charAt),
  overload("string_index_of_string", "string . indexOf(string) int", (text: string, part: string) => indexOf(text, part)),
  overload("string_index_of_string_int", "string . indexOf(string, int) int", indexOf),
  overload("string_last_index_of_string", "string . lastIndexOf(string) int", (text: string, part: string) => lastIndexOf(text, part)),
  overload("string_last_index_of_string_int", "string . lastIndexOf(string, int) int", lastIndexOf),
  overload("string_lower_ascii", "string . lowerAscii() string", (text: string) => text.replaceAll(/[A-Z]/g, (char) => char.toLowerCase())),
  overload("string_upper_ascii", "string . upperAscii() string", (text: string) => text.replaceAll(/[a-z]/g, (char) => char.toUpperCase())),
  overload("string_replace_string_string", "string . replace(string, string) string", (text: string, part: string, by: string) =>
    replace(text, part, by),
  ),
  overload("string_replace_string_string_int", "string . replace(string, string, int) string", replace),
  overload("string_split_string", "string . split(string) list(string)", (text: string, separator: string) => split(text, separator)),
  overload("string_split_string_int", "string . split(string, int) list(string)", split),
  overload("string_substring_int", "string . substring(int) string", (text: string, start: bigint) => substring(text, start)),
  overload("string_substring_int_int", "string . substring(int, int) string", substring),
  overload("string_trim", "string . trim() string", (text: string) => text.replaceAll(space, "")),
  overload("string_format", "string . format(list(dyn)) string", formatText),
  overload("strings_quote", "strings.quote(string) string", quote),
  overload("list_join", "list(string) . join() string", (list: CelList) => join(list)),
  overload("list_join_string", "list(string) . join(string) string", join),
];
