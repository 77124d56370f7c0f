import { createMetrics } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { nodeMetrics } from "./node-metrics.ts";

describe("nodeMetrics", () => {
  it("sets the gauges of the process at the start and at every interval, and ends with the signal", async () => {
    const metrics = createMetrics();
    const clock = new ManualClock();
    const runnable = nodeMetrics({ everyMs: 1000 })({ runtime: { ...testRuntime({ clock }), metrics } });
    const stop = new AbortController();
    const running = runnable.run(stop.signal);
    const valueOf = (name: string): number =>
      metrics
        .families()
        .find((family) => family.name === name)
        ?.samples()[0]?.series.value ?? -1;
    expect(valueOf("nodejs_heap_size_used_bytes")).toBeGreaterThan(1_000_000);
    expect(valueOf("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
    metrics.gauge({ name: "nodejs_heap_size_used_bytes", help: "Used part of the heap" }).set(0);
    await clock.advance(999);
    expect(valueOf("nodejs_heap_size_used_bytes")).toBe(0);
    await clock.advance(1);
    expect(valueOf("nodejs_heap_size_used_bytes")).toBeGreaterThan(0);
    stop.abort(new Error("over"));
    await running;
    expect(clock.pending).toEqual([]);
    for (const { help, samples } of metrics.families().map((family) => ({ help: family.help, samples: family.samples() })))
      for (const { series } of samples) expect(Number.isFinite(series.value), help).toBe(true);
  });

  it("refuses an invalid interval", () => {
    for (const everyMs of [0, 99, Number.NaN, Infinity]) expect(() => nodeMetrics({ everyMs })).toThrow(/nodeMetrics: everyMs must be/u);
  });
});
