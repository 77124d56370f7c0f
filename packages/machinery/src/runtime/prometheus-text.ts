/** Metrics in Prometheus' text format 0.0.4, as Go programs write it. */
import { formatGoFloat } from "../go/go-float.ts";
import type { MetricFamily, MetricSample } from "./metric-family.ts";
import type { MetricsRegistry } from "./metrics-registry.ts";

/** Media type of `prometheusText`'s result. */
export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

/** Prints every metric with at least one time series, sorted by name and label values, so that equal numbers give equal text. */
export function prometheusText(registry: MetricsRegistry): string {
  return registry.families().map(familyText).join("");
}

function familyText(family: MetricFamily): string {
  const samples = family
    .samples()
    .map((sample) => ({ sample, labels: sortedLabels(family, sample) }))
    .toSorted((a, b) => compareLabels(a.labels, b.labels));
  if (samples.length === 0) return "";
  const lines = samples.flatMap(({ sample, labels }) =>
    family.type === "histogram" ? histogramLines(family, sample, labels) : [line(family.name, labels, sample.series.value)],
  );
  return `# HELP ${family.name} ${escapeHelp(family.help)}\n# TYPE ${family.name} ${family.type}\n${lines.join("")}`;
}

type Label = readonly [name: string, value: string];

const sortedLabels = (family: MetricFamily, { labelValues }: MetricSample): readonly Label[] =>
  family.labels.map((name, index): Label => [name, labelValues[index] ?? ""]).toSorted(([a], [b]) => (a < b ? -1 : 1));

function compareLabels(a: readonly Label[], b: readonly Label[]): number {
  for (const [index, [, value]] of a.entries()) {
    const other = b[index]?.[1] ?? "";
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

function histogramLines(family: MetricFamily, { series }: MetricSample, labels: readonly Label[]): string[] {
  let count = 0;
  const buckets = (series.bucketCounts ?? []).map((inBucket, index) => {
    count += inBucket;
    return line(`${family.name}_bucket`, [...labels, ["le", formatGoFloat(family.buckets[index] ?? Infinity)]], count);
  });
  return [...buckets, line(`${family.name}_sum`, labels, series.value), line(`${family.name}_count`, labels, count)];
}

function line(name: string, labels: readonly Label[], value: number): string {
  const pairs = labels.map(([label, text]) => `${label}="${escapeValue(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${formatGoFloat(value)}\n`;
}

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
