/** Ranges of costs and sizes, saturating at 64 bits. */

export interface CostRange {
  readonly min: bigint;
  readonly max: bigint;
}

export const most: bigint = 2n ** 64n - 1n;
export const unknownSize: CostRange = { min: 0n, max: most };

const capped = (value: bigint): bigint => (value > most ? most : value);

export const exactly = (value: bigint | number): CostRange => ({ min: BigInt(value), max: BigInt(value) });

export function addRanges(...ranges: readonly CostRange[]): CostRange {
  return ranges.reduce((sum, { min, max }) => ({ min: capped(sum.min + min), max: capped(sum.max + max) }), exactly(0n));
}

export function multiplyRanges(a: CostRange, b: CostRange): CostRange {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** The union of two ranges. */
export function unionRanges(a: CostRange, b: CostRange): CostRange {
  return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max };
}

/** Multiplies a range and rounds up. */
export function scaleRange({ min, max }: CostRange, factor: number): CostRange {
  return { min: scale(min, factor), max: scale(max, factor) };
}

function scale(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? most : BigInt(product);
}
