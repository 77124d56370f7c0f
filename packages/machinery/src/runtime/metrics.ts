/** Counters, gauges and histograms under Prometheus names. */

export type LabelValues = Readonly<Record<string, string>>;

export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  /** The label names every sample of this metric carries. */
  readonly labels?: readonly string[];
}
export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

export interface Counter {
  /** @default 1 */
  add(amount?: number, labels?: LabelValues): void;
}
export interface Gauge {
  set(value: number, labels?: LabelValues): void;
  add(amount: number, labels?: LabelValues): void;
}
export interface Histogram {
  observe(value: number, labels?: LabelValues): void;
}

/** Asking twice for the same name with the same shape gives the same metric; with another shape it throws. */
export interface Metrics {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: HistogramOptions): Histogram;
}
