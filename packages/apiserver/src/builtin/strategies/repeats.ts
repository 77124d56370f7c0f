/** Finds repeated texts in one pass: bodies have room for lists of a hundred thousand, too long to search for each item. */
import { fieldDuplicate } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

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

/** Returns an error for each text that occurs before as well. */
export function duplicatesOf(texts: readonly string[], path: FieldPath): FieldError[] {
  return [...repeatsIn(texts)].map((index) => fieldDuplicate(`${path}[${index}]`, texts[index] ?? ""));
}
