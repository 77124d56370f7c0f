/** All time series of one metric, by labels; their number is limited. */
import { getOwn } from "../json/own.ts";
import type { LabelValues, MetricOptions } from "./metrics.ts";

export type MetricType = "counter" | "gauge" | "histogram";

/** Numbers of one time series. */
export interface MetricSeries {
  /** Value of a counter or gauge; sum of a histogram's observations. */
  readonly value: number;
  /** For histograms: observations of each bucket alone; the last count is beyond every bound. */
  readonly bucketCounts?: readonly number[];
}
export interface MetricSample {
  /** In the order of the family's label names. */
  readonly labelValues: readonly string[];
  readonly series: MetricSeries;
}

/** Label value of all label sets beyond the limit. */
export const overflowLabel = "overflow";

interface FamilyOptions<S> extends MetricOptions {
  readonly type: MetricType;
  readonly buckets?: readonly number[];
  readonly labelSetsMax: number;
  readonly create: () => S;
  readonly onOverflow: () => void;
}

/** The time series of one metric. Without labels it has exactly one from the start; with labels it has those that were requested. */
export class MetricFamily<S extends MetricSeries = MetricSeries> {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram, without +Inf. */
  readonly buckets: readonly number[];
  readonly #samples = new Map<string, { readonly labelValues: readonly string[]; readonly series: S }>();
  readonly #options: FamilyOptions<S>;

  constructor(options: FamilyOptions<S>) {
    const { name, help, type, labels = [], buckets = [] } = options;
    this.name = name;
    this.help = help;
    this.type = type;
    this.labels = [...labels];
    this.buckets = buckets;
    this.#options = options;
    if (labels.length === 0) this.series();
  }

  /** Returns the time series of these labels, creating it if needed. */
  series(labels: LabelValues = {}): S {
    const labelValues = this.#valuesOf(labels);
    const key = keyOf(labelValues);
    const known = this.#samples.get(key);
    if (known !== undefined) return known.series;
    if (this.#samples.size < this.#options.labelSetsMax) return this.#add(key, labelValues);
    this.#options.onOverflow();
    const overflow = this.labels.map(() => overflowLabel);
    return this.#samples.get(keyOf(overflow))?.series ?? this.#add(keyOf(overflow), overflow);
  }

  /** Removes the time series of these labels. */
  remove(labels: LabelValues): void {
    this.#samples.delete(keyOf(this.#valuesOf(labels)));
  }

  /** Returns every time series, in order of creation. */
  samples(): readonly MetricSample[] {
    return [...this.#samples.values()];
  }

  #add(key: string, labelValues: readonly string[]): S {
    const series = this.#options.create();
    this.#samples.set(key, { labelValues, series });
    return series;
  }

  #valuesOf(labels: LabelValues): readonly string[] {
    const values = this.labels.map((name) => getOwn(labels, name));
    if (values.length === Object.keys(labels).length && values.every((value) => typeof value === "string")) return values;
    throw new Error(`metric ${this.name} takes the labels {${this.labels.join(", ")}} with text values, not ${JSON.stringify(labels)}`);
  }
}

/** The lengths keep ["a", "bc"] apart from ["ab", "c"]. */
function keyOf(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? "") : values.map((value) => `${value.length}:${value}`).join("");
}
