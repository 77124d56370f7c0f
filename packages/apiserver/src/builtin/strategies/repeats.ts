/** Finds repeated texts in one pass: bodies have room for lists of a hundred thousand, too long to search for each item. */

/** Returns the positions of texts that occur before as well. */
export function repeatsIn(texts: readonly (string | undefined)[]): ReadonlySet<number> {
  const seen = new Set<string | undefined>();
  const repeats = new Set<number>();
  for (const [index, text] of texts.entries()) {
    if (seen.has(text)) repeats.add(index);
    seen.add(text);
  }
  return repeats;
}
