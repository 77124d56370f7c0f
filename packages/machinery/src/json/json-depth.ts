/** Nesting depth of JSON, estimated without reading every character. */
import type { JsonValue } from "./json-value.ts";

/**
 * Whether the text (or a part of it) may be nested more than `maxDepth` levels deep. "No" is certain. "Yes" is a guess that every
 * long text causes; then check the value with `isDeeper`.
 *
 * The bound: a chain of nested levels has at most as many lists as there are "[" in the text; the rest are objects. The innermost
 * is preceded by the openings of all others, at least `{"":` each, so a chain that is too long cannot end within the first four
 * characters per level. All its objects end after that, and counting "}" there shows whether there are enough.
 */
export function mayBeDeeper(text: string, maxDepth: number, from = 0, to: number = text.length): boolean {
  if (to - from < 2 * maxDepth) return false;
  let levels = 0;
  for (let at = text.indexOf("[", from); at !== -1 && at < to; at = text.indexOf("[", at + 1)) if (++levels > maxDepth) return true;
  // A list takes at least two characters, an object five.
  if (to - from < 5 * maxDepth - 3 * levels) return false;
  const start = from + 4 * Math.max(0, maxDepth - levels);
  for (let at = text.indexOf("}", start); at !== -1 && at < to; at = text.indexOf("}", at + 1)) if (++levels > maxDepth) return true;
  return false;
}

/** Whether the value is nested more than `maxDepth` levels deep. */
export function isDeeper(value: JsonValue, maxDepth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (maxDepth <= 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && isDeeper(item, maxDepth - 1)) return true;
    return false;
  }
  // `for in` is twice as fast as Object.values here; it also visits inherited members, and parsed values have none.
  for (const key in value) {
    const member = value[key];
    if (typeof member === "object" && isDeeper(member, maxDepth - 1)) return true;
  }
  return false;
}
