import { createMetrics } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { exportMetrics } from "./prom-registry.ts";

interface Registered {
  readonly name: string;
  get(): Promise<{
    readonly name: string;
    readonly type: string;
    readonly values: readonly { readonly metricName: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
  }>;
}

/** Prints as the registry of prom-client does. */
function registryOf(): { readonly registry: Parameters<typeof exportMetrics>[1]; readonly print: () => Promise<string[]> } {
  const metrics = new Map<string, Registered>();
  const registerMetric = (metric: Registered): void => {
    if (metrics.has(metric.name)) throw new Error(`A metric with the name ${metric.name} has already been registered.`);
    metrics.set(metric.name, metric);
  };
  return {
    registry: { registerMetric },
    print: async () => {
      const lines: string[] = [];
      const registered = Array.from(metrics.values());
      for (const metric of registered) {
        const { values, type, name } = await metric.get();
        lines.push(`# TYPE ${name} ${type}`);
        for (const { metricName, labels, value } of values)
          lines.push(
            `${metricName}{${Object.entries(labels)
              .map(([label, text]) => `${label}="${text}"`)
              .join()}} ${value}`,
          );
      }
      return lines;
    },
  };
}

describe("exportMetrics", () => {
  it("prints counters, gauges and histograms with their current values", async () => {
    const metrics = createMetrics();
    const runs = metrics.counter({ name: "runs_total", help: "runs", labels: ["controller"] });
    const took = metrics.histogram({ name: "took_seconds", help: "time", buckets: [1, 5] });
    const { registry, print } = registryOf();
    exportMetrics(metrics, registry);
    runs.add(2, { controller: "web" });
    for (const value of [0.5, 3, 4, 9]) took.observe(value);
    expect(await print()).toEqual([
      "# TYPE drover_metrics gauge",
      "drover_metrics{} 2",
      "# TYPE runs_total counter",
      'runs_total{controller="web"} 2',
      "# TYPE took_seconds histogram",
      'took_seconds_bucket{le="1"} 1',
      'took_seconds_bucket{le="5"} 3',
      'took_seconds_bucket{le="+Inf"} 4',
      "took_seconds_sum{} 16.5",
      "took_seconds_count{} 4",
    ]);
  });

  it("registers metrics that are created later, and each only once", async () => {
    const metrics = createMetrics();
    metrics.gauge({ name: "first", help: "1" }).set(1);
    const { registry, print } = registryOf();
    exportMetrics(metrics, registry);
    metrics.gauge({ name: "second", help: "2" }).set(2);
    await print();
    const count = ["# TYPE drover_metrics gauge", "drover_metrics{} 2"];
    expect(await print()).toEqual([...count, "# TYPE first gauge", "first{} 1", "# TYPE second gauge", "second{} 2"]);
  });

  it("registers metrics that are created later in a registry that was empty, as that of a new runtime is", async () => {
    const metrics = createMetrics();
    const { registry, print } = registryOf();
    exportMetrics(metrics, registry);
    metrics.gauge({ name: "later", help: "1" }).set(1);
    await print();
    expect(await print()).toContain("later{} 1");
  });
});
