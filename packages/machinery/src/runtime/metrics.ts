/**
 * Counters, gauges and histograms under Prometheus names.
 *
 *     createMetrics() → Metrics → prometheusText
 */

export type LabelValues = Readonly<Record<string, string>>;

export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  /** Label names that every sample of this metric has. */
  readonly labels?: readonly string[];
}
export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

/** One time series of a counter; where labels are known in advance, keep it instead of looking it up each time. */
export interface BoundCounter {
  /** Adds a non-negative number. @default 1 */
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

/** Common to metrics of every type. Throws for labels that are not exactly those of the metric. */
export interface Labelled<Bound> {
  /** Returns the time series of these labels; it exists from now on, at zero. */
  with(labels: LabelValues): Bound;
  /** Removes the time series of these labels; a bound one still in use no longer counts. */
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

/** Requesting the same name with the same shape returns the same metric; with another shape it throws. */
export interface Metrics {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: HistogramOptions): Histogram;
}
