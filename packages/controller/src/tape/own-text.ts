/** Truncates texts without keeping the original in memory. */

/** Returns the text, or as much as fits followed by "…". */
export function ownText(text: string, max: number): string {
  // A slice alone would keep the whole string in memory.
  return text.length <= max ? text : new TextDecoder().decode(new TextEncoder().encode(`${text.slice(0, max - 1)}…`));
}
