/** What a metric says, for tests. */
import type { MetricsRegistry } from "../runtime/metrics-registry.ts";

/** The values of a metric by its label values, without those that are zero: `{ written: 3 }`. */
export function metricValues(metrics: MetricsRegistry, name: string): Readonly<Record<string, number>> {
  const samples =
    metrics
      .families()
      .find((family) => family.name === name)
      ?.samples() ?? [];
  return Object.fromEntries(
    [...samples].map(({ labelValues, series }) => [labelValues.join(","), series.value] as const).filter(([, value]) => value !== 0),
  );
}
