/**
 * Drover's metrics in a registry of prom-client, for programs that already serve one.
 *
 *     exportMetrics(runtime.metrics, registry) → registry.registerMetric: the registry also prints Drover's
 */
import type { MetricFamily, MetricSample, MetricsRegistry } from "@drover/machinery";

/** The part of a prom-client registry that is used. */
export interface PromRegistry {
  registerMetric(metric: never): void;
}

/** What a registry of prom-client reads from a metric. */
interface PromValue {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}
interface PromMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: "sum";
  get(): Promise<Omit<PromMetric, "get" | "reset"> & { readonly values: readonly PromValue[] }>;
  reset(): void;
}

/**
 * Registers all metrics in a registry of prom-client; values are read when the registry prints them. Metrics that Drover creates later are
 * registered when the registry prints, and appear the next time. Throws the registry's error for a name that it has already.
 */
export function exportMetrics(metrics: MetricsRegistry, registry: PromRegistry): void {
  const known = new Set<string>();
  const refresh = (): void => {
    for (const family of metrics.families()) {
      if (known.has(family.name)) continue;
      known.add(family.name);
      registry.registerMetric(promMetric(family, refresh) as never);
    }
  };
  refresh();
}

/** The first metric that is printed also looks for new ones. */
function promMetric(family: MetricFamily, refresh: () => void): PromMetric {
  const { name, help, type } = family;
  const shape = { name, help, type, aggregator: "sum" as const };
  return {
    ...shape,
    get: () => {
      refresh();
      return Promise.resolve({ ...shape, values: family.samples().flatMap((sample) => valuesOf(family, sample)) });
    },
    // The numbers are Drover's.
    reset: () => undefined,
  };
}

function valuesOf({ name, type, labels: names, buckets }: MetricFamily, { labelValues, series }: MetricSample): readonly PromValue[] {
  const labels = Object.fromEntries(names.map((label, index) => [label, labelValues[index] ?? ""]));
  if (type !== "histogram") return [{ metricName: name, labels, value: series.value }];
  let count = 0;
  const counts = (series.bucketCounts ?? []).map((own) => (count += own));
  return [
    ...counts.map((value, index) => ({ metricName: `${name}_bucket`, labels: { ...labels, le: String(buckets[index] ?? "+Inf") }, value })),
    { metricName: `${name}_sum`, labels, value: series.value },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
