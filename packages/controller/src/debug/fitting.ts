/** Keeps lists within the bytes of an answer. */
import { budget } from "@drover/machinery";

const answerBytes = budget({
  name: "controller/debug-answer",
  limit: 4 * 2 ** 20,
  unit: "bytes",
  atLimit: "the list of an answer of the debug endpoint ends, and the answer says how many items were left off",
  uncounted: "The answer itself says it.",
});

/** Converts as many items as fit into an answer. Measures each item once, as JSON. */
export function fitting<T, R>(items: readonly T[], convert: (item: T) => R): { readonly items: readonly R[]; readonly leftOff: number } {
  const kept: R[] = [];
  let bytes = 0;
  for (const item of items) {
    const converted = convert(item);
    // A character of a string takes at most three bytes.
    bytes += 3 * JSON.stringify(converted).length;
    if (bytes > answerBytes.limit) break;
    kept.push(converted);
  }
  return { items: kept, leftOff: items.length - kept.length };
}
