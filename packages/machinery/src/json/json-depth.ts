/** How deep JSON goes, found out more cheaply than by reading every character. */
import type { JsonValue } from "./json-value.ts";

/**
 * Whether objects and lists might stand more than `maxDepth` levels inside each other, judged from the text (or a part of it) alone.
 * "No" is certain. "Yes" is a guess that holds for every long text; then look at the value with `isDeeper`.
 *
 * The bound: a chain of nested levels has at most as many lists as there are "[" in the text; the rest are objects. Before the innermost
 * of them stand the beginnings of all others, `{"":` at the least, so a chain that is too long cannot reach its end within the first four
 * characters per level. All its objects end behind them, and counting "}" there tells whether there are enough.
 */
export function mayBeDeeper(text: string, maxDepth: number, from = 0, to: number = text.length): boolean {
  if (to - from < 2 * maxDepth) return false;
  let levels = 0;
  for (let at = text.indexOf("[", from); at !== -1 && at < to; at = text.indexOf("[", at + 1)) if (++levels > maxDepth) return true;
  // A list takes two characters at the least, an object five.
  if (to - from < 5 * maxDepth - 3 * levels) return false;
  const start = from + 4 * Math.max(0, maxDepth - levels);
  for (let at = text.indexOf("}", start); at !== -1 && at < to; at = text.indexOf("}", at + 1)) if (++levels > maxDepth) return true;
  return false;
}

/** Whether objects and lists stand more than `maxDepth` levels inside each other. */
export function isDeeper(value: JsonValue, maxDepth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (maxDepth <= 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && isDeeper(item, maxDepth - 1)) return true;
    return false;
  }
  // `for in` is twice as fast as Object.values here; it would also see inherited members, and values from a parser have none.
  for (const key in value) {
    const member = value[key];
    if (typeof member === "object" && isDeeper(member, maxDepth - 1)) return true;
  }
  return false;
}
