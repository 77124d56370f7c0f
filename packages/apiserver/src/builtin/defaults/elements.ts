/** Going through lists of decoded objects, which Go writes as `null` when they are empty and their field may not be left out. */

/** The elements of a list; none of one that is absent or `null`. */
export const elements = <T>(list: readonly T[] | null | undefined): readonly T[] => list ?? [];
