/** Texts that are kept: cut to a length, and without a hold on what was cut off. */

/** The text, or as much of it as fits with a mark behind it. */
export function ownText(text: string, max: number): string {
  // A slice alone would keep the whole text in memory.
  return text.length <= max ? text : new TextDecoder().decode(new TextEncoder().encode(`${text.slice(0, max - 1)}…`));
}
