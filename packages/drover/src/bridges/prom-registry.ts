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
 * registered when the registry prints, and appear the next time. The gauge `drover_metrics` is their number. Throws the registry's error
 * for a name that it has already.
 */
export function exportMetrics(metrics: MetricsRegistry, registry: PromRegistry): void {
  const known = new Set<string>();
  const refresh = (): number => {
    const families = metrics.families();
    for (const family of families) {
      if (known.has(family.name)) continue;
      known.add(family.name);
      const { name, help, type } = family;
      registry.registerMetric(
        promMetric({ name, help, type }, () => family.samples().flatMap((sample) => valuesOf(family, sample))) as never,
      );
    }
    return families.length;
  };
  // Always there, also before the first metric: printing it looks for new ones.
  const name = "drover_metrics";
  const count = promMetric({ name, help: "Metrics of Drover.", type: "gauge" }, () => [{ metricName: name, labels: {}, value: refresh() }]);
  registry.registerMetric(count as never);
  refresh();
}

function promMetric(about: Pick<PromMetric, "name" | "help" | "type">, values: () => readonly PromValue[]): PromMetric {
  const shape = { ...about, aggregator: "sum" as const };
  return {
    ...shape,
    get: () => Promise.resolve({ ...shape, values: values() }),
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
