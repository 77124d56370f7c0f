/**
 * Metrics of the Node process: heap, garbage collections and the delay of the event loop, under the names of prom-client.
 *
 *     app.add(nodeMetrics()) → every ten seconds → runtime.metrics
 */
import { monitorEventLoopDelay, performance, PerformanceObserver } from "node:perf_hooks";
import type { Cluster } from "@drover/cache";
import type { Runnable } from "@drover/controller";
import { sleep } from "@drover/machinery";
import type { BoundGauge, Metrics } from "@drover/machinery";

/** Options of `nodeMetrics`. */
export interface NodeMetricsOptions {
  /** How often the gauges are updated, in milliseconds, at least 100. @default 10000 */
  readonly everyMs?: number;
}

/** Returns a runnable for `app.add` that measures this process while the operator runs. Throws a RangeError for an invalid option. */
export function nodeMetrics({ everyMs = 10_000 }: NodeMetricsOptions = {}): (cluster: Pick<Cluster, "runtime">) => Runnable {
  if (!(everyMs >= 100) || everyMs > 3_600_000)
    throw new RangeError(`nodeMetrics: everyMs must be from 100 to 3600000 (an hour), not ${everyMs}`);
  return ({ runtime: { clock, metrics } }) => ({
    name: "metrics of the process",
    group: "server",
    run: async (signal) => {
      const gauges = processGauges(metrics);
      const delay = monitorEventLoopDelay({ resolution: 10 });
      const collections = watchCollections(metrics);
      delay.enable();
      try {
        while (!signal.aborted) {
          measure(gauges, delay);
          // An abort ends the wait, and is no failure.
          await sleep(clock, everyMs, { signal }).catch(() => undefined);
        }
      } finally {
        delay.disable();
        collections.disconnect();
      }
    },
  });
}

interface ProcessGauges {
  readonly residentBytes: BoundGauge;
  readonly heapTotalBytes: BoundGauge;
  readonly heapUsedBytes: BoundGauge;
  readonly externalBytes: BoundGauge;
  readonly cpuSeconds: BoundGauge;
  readonly delayMean: BoundGauge;
  readonly delayP99: BoundGauge;
  readonly delayMax: BoundGauge;
  readonly utilization: BoundGauge;
}

function processGauges(metrics: Metrics): ProcessGauges {
  const gauge = (name: string, help: string): BoundGauge => metrics.gauge({ name, help }).with({});
  return {
    residentBytes: gauge("process_resident_memory_bytes", "Resident memory of the process"),
    heapTotalBytes: gauge("nodejs_heap_size_total_bytes", "Size of the heap"),
    heapUsedBytes: gauge("nodejs_heap_size_used_bytes", "Used part of the heap"),
    externalBytes: gauge("nodejs_external_memory_bytes", "Memory outside of the heap that objects hold"),
    cpuSeconds: gauge("process_cpu_seconds", "CPU time of the process since its start"),
    delayMean: gauge("nodejs_eventloop_lag_mean_seconds", "Mean delay of the event loop since the last measurement"),
    delayP99: gauge("nodejs_eventloop_lag_p99_seconds", "99th percentile of the delay of the event loop since the last measurement"),
    delayMax: gauge("nodejs_eventloop_lag_max_seconds", "Longest delay of the event loop since the last measurement"),
    utilization: gauge("nodejs_eventloop_utilization", "Share of time in which the event loop was busy, since the start of the process"),
  };
}

/** Nanoseconds, as the histogram of the event loop counts. */
const second = 1e9;

function measure(gauges: ProcessGauges, delay: ReturnType<typeof monitorEventLoopDelay>): void {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  gauges.residentBytes.set(rss);
  gauges.heapTotalBytes.set(heapTotal);
  gauges.heapUsedBytes.set(heapUsed);
  gauges.externalBytes.set(external);
  gauges.cpuSeconds.set((user + system) / 1e6);
  // Without a sample the mean is not a number.
  gauges.delayMean.set((delay.mean || 0) / second);
  gauges.delayP99.set(delay.percentile(99) / second);
  gauges.delayMax.set(delay.max / second);
  gauges.utilization.set(performance.eventLoopUtilization().utilization);
  delay.reset();
}

/** Kinds of collections by V8's numbers. */
const collectionKinds: Readonly<Record<number, string>> = { 1: "minor", 4: "major", 8: "incremental", 16: "weakcb" };

function watchCollections(metrics: Metrics): PerformanceObserver {
  const histogram = metrics.histogram({
    name: "nodejs_gc_duration_seconds",
    help: "Duration of garbage collections",
    labels: ["kind"],
    buckets: [0.001, 0.01, 0.1, 1, 2, 5],
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration, detail: { kind = 0 } = {} } = entry as typeof entry & { readonly detail?: { readonly kind?: number } };
      histogram.observe(duration / 1000, { kind: collectionKinds[kind] ?? "other" });
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return observer;
}
