/** Iterates over lists of decoded objects, which Go writes as `null` if empty and not omitted. */

/** Returns the elements of a list; none if absent or `null`. */
export const elements = <T>(list: readonly T[] | null | undefined): readonly T[] => list ?? [];
