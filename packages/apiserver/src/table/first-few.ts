/** The first few of many in one cell: "a,b,c + 4 more...". */

/** How many are named. */
const most = 3;

/** The first three; what stands for none is the caller's choice. */
export function firstFew(texts: readonly string[], none: string): string {
  const few = texts.slice(0, most).join(",");
  return texts.length > most ? `${few} + ${texts.length - most} more...` : few || none;
}
