/** Percentiles, and the slope of a series with its confidence. */

/** The smallest value that this share of the values does not exceed; NaN for no values. @param share - from 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}

export interface Slope {
  /** Units of y per unit of x. */
  readonly slope: number;
  /** Half the width of its 95 % confidence interval; Infinity for fewer than three points. */
  readonly margin: number;
}

/** Least squares. The quantile 2 of Student's distribution is that of 60 points; for ten it is 2.3. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): Slope {
  const count = points.length;
  if (count < 3) return { slope: Number.NaN, margin: Infinity };
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, margin: (count < 20 ? 2.3 : 2) * Math.sqrt(rest / (count - 2) / spread) };
}
