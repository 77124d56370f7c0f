/** A list truncated to one cell: "a,b,c + 4 more...". */

/** Number of items shown. */
const most = 3;

/** Returns the first three items; `none` for an empty list. */
export function firstFew(texts: readonly string[], none: string): string {
  const few = texts.slice(0, most).join(",");
  return texts.length > most ? `${few} + ${texts.length - most} more...` : few || none;
}
