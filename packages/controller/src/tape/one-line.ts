/** Makes foreign text fit into one line of output. */

/** Replaces every sequence of line breaks and other control characters by a space. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
