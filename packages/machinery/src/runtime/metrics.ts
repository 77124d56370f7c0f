/**
 * Counters, gauges and histograms under Prometheus names.
 *
 *     createMetrics() → Metrics → prometheusText
 */

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

/** One time series of a counter; where the labels are known beforehand, keep this instead of looking them up each time. */
export interface BoundCounter {
  /** Adds a number that is not negative. @default 1 */
  add(amount?: number): void;
}
export interface BoundGauge {
  set(value: number): void;
  /** Adds a number, which may be negative. */
  add(amount: number): void;
}
export interface BoundHistogram {
  observe(value: number): void;
}

/** What the metrics of every type can do. Labels that are not exactly those of the metric throw. */
export interface Labelled<Bound> {
  /** The time series of these labels; it is there, at zero, from now on. */
  with(labels: LabelValues): Bound;
  /** Forgets the time series of these labels; a bound one that is still in use counts no more. */
  remove(labels: LabelValues): void;
}
export interface Counter extends Labelled<BoundCounter> {
  /** @default 1 */
  add(amount?: number, labels?: LabelValues): void;
}
export interface Gauge extends Labelled<BoundGauge> {
  set(value: number, labels?: LabelValues): void;
  add(amount: number, labels?: LabelValues): void;
}
export interface Histogram extends Labelled<BoundHistogram> {
  observe(value: number, labels?: LabelValues): void;
}

/** Asking twice for the same name with the same shape gives the same metric; with another shape it throws. */
export interface Metrics {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: HistogramOptions): Histogram;
}
