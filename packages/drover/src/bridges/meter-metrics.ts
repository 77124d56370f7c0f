/**
 * Drover's metrics through a Meter of OpenTelemetry, for programs that already send theirs so.
 *
 *     import { metrics } from "@opentelemetry/api";
 *     meterMetrics(runtime.metrics, metrics.getMeter("drover")) → observable instruments: values are read when the SDK collects
 */
import { callSafely } from "@drover/machinery";
import type { MetricFamily, MetricSample, MetricsRegistry } from "@drover/machinery";

/** What a callback reports to. */
interface MeterResult {
  observe(value: number, attributes?: Record<string, string>): void;
}
interface MeterInstrument {
  addCallback(callback: (result: MeterResult) => void): void;
}
interface MeterInstrumentOptions {
  readonly description?: string;
}

/** The part of a Meter of `@opentelemetry/api` that is used. */
export interface MetricsMeter {
  createObservableCounter(name: string, options?: MeterInstrumentOptions): MeterInstrument;
  createObservableGauge(name: string, options?: MeterInstrumentOptions): MeterInstrument;
}

/** One instrument of a metric: which numbers it reports. */
interface Part {
  readonly suffix: string;
  readonly observe: (result: MeterResult, sample: MetricSample, attributes: Record<string, string>) => void;
}

/**
 * Creates an observable instrument for each counter and gauge, with labels as attributes. OpenTelemetry cannot observe histograms that
 * others keep: one becomes three counters, NAME_bucket with the attribute le, NAME_sum and NAME_count, as Prometheus has them. Metrics
 * that Drover creates later get their instruments at the next collection, and appear in the one after it. The gauge `drover_metrics` is
 * the number of metrics.
 *
 * Guarantees: a meter that fails costs the metric, never the run. Nothing is copied between collections.
 */
export function meterMetrics(metrics: MetricsRegistry, meter: MetricsMeter): void {
  const known = new Set<string>();
  const refresh = (): number => {
    const families = metrics.families();
    for (const family of families) {
      if (known.has(family.name)) continue;
      known.add(family.name);
      callSafely(
        () => addInstruments(family, meter),
        () => undefined,
      );
    }
    return families.length;
  };
  // Always there, also before the first metric: its callback looks for new ones.
  meter
    .createObservableGauge("drover_metrics", { description: "Metrics of Drover." })
    .addCallback((result) => result.observe(refresh(), {}));
  refresh();
}

function addInstruments(family: MetricFamily, meter: MetricsMeter): void {
  const { help: description, type, name } = family;
  for (const { suffix, observe } of type === "histogram" ? histogramParts(family) : [single]) {
    const full = `${instrumentName(name)}${suffix}`;
    const instrument =
      type === "gauge" ? meter.createObservableGauge(full, { description }) : meter.createObservableCounter(full, { description });
    instrument.addCallback((result) => {
      for (const sample of family.samples()) observe(result, sample, attributesOf(family, sample));
    });
  }
}

const single: Part = { suffix: "", observe: (result, { series }, attributes) => result.observe(series.value, attributes) };

function histogramParts({ buckets }: MetricFamily): readonly Part[] {
  return [
    {
      suffix: "_bucket",
      observe: (result, { series: { bucketCounts = [] } }, attributes) => {
        let count = 0;
        for (const [index, own] of bucketCounts.entries()) {
          count += own;
          result.observe(count, { ...attributes, le: String(buckets[index] ?? "+Inf") });
        }
      },
    },
    { ...single, suffix: "_sum" },
    {
      suffix: "_count",
      observe: (result, { series: { bucketCounts = [] } }, attributes) =>
        result.observe(
          bucketCounts.reduce((sum, own) => sum + own, 0),
          attributes,
        ),
    },
  ];
}

const attributesOf = ({ labels }: MetricFamily, { labelValues }: MetricSample): Record<string, string> =>
  Object.fromEntries(labels.map((label, index) => [label, labelValues[index] ?? ""]));

/** Prometheus allows colons and a leading underscore, OpenTelemetry does not. */
const instrumentName = (name: string): string => name.replaceAll(":", ".").replace(/^[^a-zA-Z]+/, "");
