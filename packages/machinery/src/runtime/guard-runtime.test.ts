import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { recordingLog } from "../testing/recording-log.ts";
import { guardRuntime } from "./guard-runtime.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics-registry.ts";
import type { Counter, Gauge, Histogram, HistogramOptions, MetricOptions, Metrics } from "./metrics.ts";

const refuse = (): never => {
  throw new Error("refused");
};

describe("guardRuntime", () => {
  it("returns a runtime with Drover's own log and metrics unchanged", () => {
    const runtime = { log: recordingLog(new ManualClock()), metrics: createMetrics() };
    expect(guardRuntime(runtime)).toBe(runtime);
    expect(guardRuntime({ log: runtime.log }).log).toBe(runtime.log);
  });

  it("guards a copy and a proxy of a marked log", () => {
    const log = recordingLog(new ManualClock());
    for (const other of [{ ...log, info: refuse }, new Proxy(log, { get: () => refuse })])
      expect(() => guardRuntime({ log: other, metrics: createMetrics() }).log.info("line")).not.toThrow();
  });

  it("drops lines of a log that throws or rejects, and keeps its lines otherwise", async () => {
    const lines: string[] = [];
    const log: Log = {
      debug: refuse,
      info: (message) => void lines.push(message),
      warn: () => Promise.reject(new Error("refused")) as unknown as undefined,
      error: refuse,
      with: refuse,
    };
    const { log: guarded } = guardRuntime({ log });
    guarded.debug("a");
    guarded.info("b");
    guarded.warn("c");
    guarded.with({ x: 1 }).info("d");
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual(["b", "d"]);
  });

  it("counts on without a registry that throws, and logs its first failure", () => {
    const log = recordingLog(new ManualClock());
    const refusing: Metrics = { counter: refuse, gauge: refuse, histogram: refuse };
    const { metrics } = guardRuntime({ log, metrics: refusing });
    const options = { name: "a", help: "b" };
    metrics.counter(options).with({}).add();
    metrics.gauge(options).set(1);
    metrics.histogram({ ...options, buckets: [1] }).observe(1);
    expect(log.entries.map(({ message }) => message)).toEqual([expect.stringContaining("metrics registry failed")]);
  });

  it("counts in a registry of another make, which can still be read", () => {
    class Registry {
      readonly #inner = createMetrics();
      counter(options: MetricOptions): Counter {
        return this.#inner.counter(options);
      }
      gauge(options: MetricOptions): Gauge {
        return this.#inner.gauge(options);
      }
      histogram(options: HistogramOptions): Histogram {
        return this.#inner.histogram(options);
      }
      families(): readonly { readonly name: string }[] {
        return this.#inner.families();
      }
    }
    const { metrics } = guardRuntime({ log: recordingLog(new ManualClock()), metrics: new Registry() });
    metrics.counter({ name: "a", help: "b" }).add();
    expect(metrics.families().map(({ name }) => name)).toEqual(["a"]);
  });
});
