/**
 * With DROVER_OPENTELEMETRY=FOLDER a test also runs on the real packages, which `npm install @opentelemetry/api @opentelemetry/sdk-metrics`
 * has put into that folder. Tried with api 1.9.1 and sdk-metrics 2.12.1.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { createMetrics } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { meterMetrics } from "./meter-metrics.ts";
import type { MetricsMeter } from "./meter-metrics.ts";

/** What was collected: "NAME{labels} value", by instrument. */
type Collect = () => Promise<readonly string[]>;
interface Rig {
  readonly meter: MetricsMeter;
  readonly collect: Collect;
}

const line = (name: string, attributes: Record<string, unknown>, value: unknown): string =>
  `${name}{${Object.entries(attributes)
    .map(([label, text]) => `${label}="${String(text)}"`)
    .join()}} ${String(value)}`;

/** Collects as the SDK does. */
function fakeRig(): Rig {
  const instruments: { readonly name: string; readonly callbacks: ((result: never) => void)[] }[] = [];
  const create = (name: string) => {
    if (!/^[a-z][a-z0-9_./-]{0,254}$/i.test(name)) throw new Error(`invalid name ${name}`);
    const callbacks: ((result: never) => void)[] = [];
    instruments.push({ name, callbacks });
    return { addCallback: (callback: (result: never) => void) => void callbacks.push(callback) };
  };
  return {
    meter: { createObservableCounter: create, createObservableGauge: create },
    collect: () => {
      const lines: string[] = [];
      const collected = [...instruments];
      for (const { name, callbacks } of collected)
        for (const callback of callbacks)
          callback({ observe: (value: number, attributes: Record<string, string>) => lines.push(line(name, attributes, value)) } as never);
      return Promise.resolve(lines);
    },
  };
}

describe("meterMetrics", () => {
  it("observes counters, gauges and histograms with their current values and labels", async () => {
    const metrics = createMetrics();
    const runs = metrics.counter({ name: "runs_total", help: "runs", labels: ["controller"] });
    const depth = metrics.gauge({ name: "depth", help: "keys" });
    const took = metrics.histogram({ name: "took_seconds", help: "time", buckets: [1, 5], labels: ["controller"] });
    const { meter, collect } = fakeRig();
    meterMetrics(metrics, meter);
    runs.add(2, { controller: "web" });
    depth.set(-1);
    for (const value of [0.5, 3, 4, 9]) took.observe(value, { controller: "web" });
    expect(new Set(await collect())).toEqual(
      new Set([
        "drover_metrics{} 3",
        'runs_total{controller="web"} 2',
        "depth{} -1",
        'took_seconds_bucket{controller="web",le="1"} 1',
        'took_seconds_bucket{controller="web",le="5"} 3',
        'took_seconds_bucket{controller="web",le="+Inf"} 4',
        'took_seconds_sum{controller="web"} 16.5',
        'took_seconds_count{controller="web"} 4',
      ]),
    );
    runs.add(1, { controller: "web" });
    expect(await collect()).toContain('runs_total{controller="web"} 3');
  });

  it("finds metrics that are created later, also in a registry that was empty", async () => {
    const metrics = createMetrics();
    const { meter, collect } = fakeRig();
    meterMetrics(metrics, meter);
    metrics.gauge({ name: "later", help: "1" }).set(7);
    await collect();
    expect(await collect()).toEqual(expect.arrayContaining(["drover_metrics{} 1", "later{} 7"]));
  });

  it("names metrics as OpenTelemetry allows", async () => {
    const metrics = createMetrics();
    metrics.gauge({ name: "_a:b", help: "1" }).set(1);
    const { meter, collect } = fakeRig();
    meterMetrics(metrics, meter);
    expect(await collect()).toContain("a.b{} 1");
  });

  it("leaves out a metric that the meter refuses, and goes on", async () => {
    const { meter, collect } = fakeRig();
    const metrics = createMetrics();
    metrics.gauge({ name: "bad", help: "1" }).set(1);
    metrics.gauge({ name: "good", help: "2" }).set(2);
    const createObservableGauge: MetricsMeter["createObservableGauge"] = (name, options) => {
      if (name === "bad") throw new Error("refused");
      return meter.createObservableGauge(name, options);
    };
    meterMetrics(metrics, { ...meter, createObservableGauge });
    expect(await collect()).toEqual(["drover_metrics{} 2", "good{} 2"]);
  });
});

const folder = process.env["DROVER_OPENTELEMETRY"] ?? "";

/** Runs in a process of its own: vitest makes Node resolve packages as bundlers do, which the ones of OpenTelemetry do not survive. */
const program = `
  import { createRequire } from "node:module";
  import { createMetrics } from "@drover/machinery";
  import { meterMetrics } from ${JSON.stringify(join(import.meta.dirname, "meter-metrics.ts"))};
  const require = createRequire(${JSON.stringify(join(folder, "package.json"))});
  const { MeterProvider, InMemoryMetricExporter, PeriodicExportingMetricReader } = require("@opentelemetry/sdk-metrics");
  const api = require("@opentelemetry/api");
  const exporter = new InMemoryMetricExporter(1);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  api.metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const metrics = createMetrics();
  meterMetrics(metrics, api.metrics.getMeter("drover"));
  const runs = metrics.counter({ name: "runs_total", help: "runs", labels: ["controller"] });
  const took = metrics.histogram({ name: "took_seconds", help: "time", buckets: [1, 5] });
  for (const value of [0.5, 3, 4, 9]) took.observe(value);
  for (let round = 0; round < 3; round++) {
    runs.add(2, { controller: "web" });
    exporter.reset();
    await reader.forceFlush();
  }
  const found = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics: each }) => each));
  const points = found.flatMap(({ descriptor, dataPoints }) => dataPoints.map(({ attributes, value }) => [descriptor.name, descriptor.type, attributes, value]));
  process.stdout.write(JSON.stringify(points));
  await reader.shutdown();`;

it.runIf(folder !== "")("meterMetrics reaches an exporter of the SDK of OpenTelemetry, with types, attributes and current values", () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=drover-source", "--import", "tsx", "--input-type=module", "-e", program],
    { cwd: join(import.meta.dirname, "..", ".."), encoding: "utf8" },
  );
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual([
    ["drover_metrics", "OBSERVABLE_GAUGE", {}, 2],
    ["runs_total", "OBSERVABLE_COUNTER", { controller: "web" }, 6],
    ["took_seconds_bucket", "OBSERVABLE_COUNTER", { le: "1" }, 1],
    ["took_seconds_bucket", "OBSERVABLE_COUNTER", { le: "5" }, 3],
    ["took_seconds_bucket", "OBSERVABLE_COUNTER", { le: "+Inf" }, 4],
    ["took_seconds_sum", "OBSERVABLE_COUNTER", {}, 16.5],
    ["took_seconds_count", "OBSERVABLE_COUNTER", {}, 4],
  ]);
});
