/** Quoted strings in a JSONPath, with Go's escapes. */
import { JsonPathError } from "./json-path.ts";

const simple: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
]);

/** Returns the content of a quoted string with escapes replaced. Throws a {@link JsonPathError} for an unknown escape. */
export function unquoteText(text: string, quote: string): string {
  return text.replace(/\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|[^]|$)/gu, (escape) => {
    const [, letter = ""] = escape;
    const known = letter === quote ? quote : simple.get(letter);
    if (known !== undefined) return known;
    const code = /^[0-7]{3}$/.test(escape.slice(1))
      ? Number.parseInt(escape.slice(1), 8)
      : escape.length > 2
        ? Number.parseInt(escape.slice(2), 16)
        : Number.NaN;
    if (Number.isNaN(code) || code > 0x10ffff) throw new JsonPathError(`unquote string ${quote}${text}${quote} error invalid syntax`);
    return String.fromCodePoint(code);
  });
}
