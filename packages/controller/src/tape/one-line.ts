/** Other people's words, made fit to stand in a line of ours. */

/** The text with every run of line breaks and other control characters as one blank. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
