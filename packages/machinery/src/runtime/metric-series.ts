/** One time series: the numbers behind a bound counter, gauge or histogram. This is the hot path: an addition, no lookup. */
import type { BoundCounter, BoundGauge, BoundHistogram } from "./metrics.ts";

export class CounterSeries implements BoundCounter {
  value = 0;

  add(amount = 1): void {
    if (!(amount >= 0)) throw new RangeError(`a counter cannot decrease: cannot add ${amount}; use a gauge instead`);
    this.value += amount;
  }
}

export class GaugeSeries implements BoundGauge {
  value = 0;

  set(value: number): void {
    this.value = value;
  }

  add(amount: number): void {
    this.value += amount;
  }
}

export class HistogramSeries implements BoundHistogram {
  /** Sum of the observations. */
  value = 0;
  /** Observations of each bucket alone; the last count is beyond every bound. */
  readonly bucketCounts: number[];
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.bucketCounts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const index = this.#bucketOf(value);
    this.bucketCounts[index] = (this.bucketCounts[index] ?? 0) + 1;
    this.value += value;
  }

  /** The first bucket whose bound is not below the value; NaN falls beyond the last. */
  #bucketOf(value: number): number {
    let low = 0;
    let high = this.#bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (value <= (this.#bounds[middle] ?? Infinity)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
