/** Size of a value as JSON, computed without encoding it. */
import type { JsonValue } from "../json/json-value.ts";

/** Returns the bytes of a value as Go's encoder writes it: no spaces, UTF-8, and `<`, `>`, `&`, U+2028 and U+2029 escaped. */
export function jsonSize(value: JsonValue): number {
  if (typeof value === "string") return textSize(value);
  if (typeof value !== "object") return String(value).length;
  if (value === null) return 4;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += jsonSize(item);
    return size + Math.max(0, value.length - 1);
  }
  let members = 0;
  for (const key of Object.keys(value)) {
    size += textSize(key) + 1 + jsonSize(value[key] ?? null);
    members++;
  }
  return size + Math.max(0, members - 1);
}

const shortEscapes: ReadonlySet<string> = new Set(['"', "\\", "\b", "\f", "\n", "\r", "\t"]);
const longEscapes: ReadonlySet<string> = new Set(["<", ">", "&", "\u2028", "\u2029"]);

function textSize(text: string): number {
  // Most texts are plain: one byte per character, and two quotes.
  if (/^[ !#-%'-;=?-[\]-~]*$/.test(text)) return text.length + 2;
  let size = 2;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (shortEscapes.has(char)) size += 2;
    else if (code < 0x20 || longEscapes.has(char)) size += 6;
    else size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return size;
}
