/**
 * Metrics kept in memory.
 *
 *     createMetrics() → MetricsRegistry: a `Metrics` for those who count, `families()` for those who export
 */
import { neverThrows } from "./never-throws.ts";
import { MetricFamily } from "./metric-family.ts";
import type { MetricSeries, MetricType } from "./metric-family.ts";
import { CounterSeries, GaugeSeries, HistogramSeries } from "./metric-series.ts";
import type { Counter, Gauge, Histogram, HistogramOptions, Labelled, MetricOptions, Metrics } from "./metrics.ts";

export interface MetricsRegistry extends Metrics {
  /** Every requested metric, sorted by name. */
  families(): readonly MetricFamily[];
}

export interface MetricsOptions {
  /**
   * Maximum label sets of one metric. Further ones are counted together under the label value "overflow", and
   * `drover_metrics_overflow_total` names the metric: a label chosen by an attacker or a bug must not exhaust memory.
   * @default 10000
   */
  readonly labelSetsMax?: number;
}

interface Known {
  readonly shape: string;
  readonly family: MetricFamily;
  readonly metric: Counter | Gauge | Histogram;
}

/**
 * Creates an empty registry. Throws only for mistakes of the calling code: for invalid names, a known name with another shape, and wrong
 * label sets.
 */
export function createMetrics({ labelSetsMax = 10_000 }: MetricsOptions = {}): MetricsRegistry {
  const known = new Map<string, Known>();

  const ask = <S extends MetricSeries, M extends Counter | Gauge | Histogram>(
    type: MetricType,
    options: MetricOptions & { readonly buckets?: readonly number[] },
    create: () => S,
    present: (family: MetricFamily<S>) => M,
  ): M => {
    const { name, labels = [], buckets = [] } = options;
    const shape = JSON.stringify([type, labels, buckets.map(String)]);
    const before = known.get(name);
    if (before?.shape === shape) return before.metric as M;
    if (before !== undefined) throw new Error(`metric ${name} is already registered with another type, other labels or other buckets`);
    checkShape(type, name, labels, buckets);
    const family = new MetricFamily({ ...options, type, labelSetsMax, create, onOverflow: () => overflows().add(1, { metric: name }) });
    const metric = present(family);
    known.set(name, { shape, family, metric });
    return metric;
  };
  const counter = (options: MetricOptions): Counter =>
    ask(
      "counter",
      options,
      () => new CounterSeries(),
      (family) => ({
        ...labelled(family),
        add: (amount, labels) => family.series(labels).add(amount),
      }),
    );
  const gauge = (options: MetricOptions): Gauge =>
    ask(
      "gauge",
      options,
      () => new GaugeSeries(),
      (family) => ({
        ...labelled(family),
        set: (value, labels) => family.series(labels).set(value),
        add: (amount, labels) => family.series(labels).add(amount),
      }),
    );
  const histogram = (options: HistogramOptions): Histogram =>
    ask(
      "histogram",
      options,
      () => new HistogramSeries(options.buckets),
      (family) => ({
        ...labelled(family),
        observe: (value, labels) => family.series(labels).observe(value),
      }),
    );
  const overflows = (): Counter =>
    counter({ name: "drover_metrics_overflow_total", help: "Samples counted under the overflow label, by metric.", labels: ["metric"] });

  const families = (): readonly MetricFamily[] =>
    [...known.values()].map(({ family }) => family).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return neverThrows({ counter, gauge, histogram, families });
}

const labelled = <S extends MetricSeries>(family: MetricFamily<S>): Labelled<S> => ({
  with: (labels) => family.series(labels),
  remove: (labels) => family.remove(labels),
});

function checkShape(type: MetricType, name: string, labels: readonly string[], buckets: readonly number[]): void {
  if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name)) throw new Error(`"${name}" is not a metric name: it must match [a-zA-Z_:][a-zA-Z0-9_:]*`);
  for (const [index, label] of labels.entries()) {
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label))
      throw new Error(`metric ${name}: "${label}" is not a label name: it must match [a-zA-Z_][a-zA-Z0-9_]*`);
    if (label.startsWith("__"))
      throw new Error(`metric ${name}: the label ${label} is reserved: names that begin with __ belong to Prometheus`);
    if (label === "le" && type === "histogram") throw new Error(`metric ${name}: the label le is reserved for the buckets of a histogram`);
    if (labels.indexOf(label) < index) throw new Error(`metric ${name}: the label ${label} is listed twice`);
  }
  for (const [index, bound] of buckets.entries()) {
    if (!Number.isFinite(bound)) throw new Error(`metric ${name}: bucket bounds are finite numbers, without +Inf, not ${bound}`);
    if (index > 0 && !(bound > (buckets[index - 1] ?? 0)))
      throw new Error(`metric ${name}: bucket bounds ascend, but ${bound} follows ${buckets[index - 1]}`);
  }
}
