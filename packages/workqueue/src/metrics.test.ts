import { workqueueDurationBuckets } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { QueueMetrics } from "./metrics.ts";

const value = ({ metrics }: TestRuntime, name: string, ...labels: readonly string[]): number | undefined =>
  metrics
    .families()
    .find((family) => family.name === `workqueue_${name}`)
    ?.samples()
    .find(({ labelValues }) => labelValues.join() === labels.join())?.series.value;

const start = (byPriority = true) => {
  const runtime = testRuntime();
  return { runtime, told: new QueueMetrics<string>({ ...runtime, name: "q", byPriority }) };
};

describe("QueueMetrics", () => {
  it("registers client-go's names, labels and buckets, starting at zero", () => {
    const { runtime } = start();
    const families = runtime.metrics.families().map(({ name, type, labels, buckets }) => [name, type, labels.join(), buckets.length]);
    expect(families).toEqual([
      ["workqueue_adds_total", "counter", "name", 0],
      ["workqueue_depth", "gauge", "name,priority", 0],
      ["workqueue_longest_running_processor_seconds", "gauge", "name", 0],
      ["workqueue_queue_duration_seconds", "histogram", "name", workqueueDurationBuckets.length],
      ["workqueue_retries_total", "counter", "name", 0],
      ["workqueue_unfinished_work_seconds", "gauge", "name", 0],
      ["workqueue_work_duration_seconds", "histogram", "name", workqueueDurationBuckets.length],
    ]);
    expect(value(runtime, "depth", "q", "0")).toBe(0);
  });

  it("reports depth by priority, and moves a key whose priority is raised", () => {
    const { runtime, told } = start();
    told.added(0);
    told.added(-100);
    told.raised(-100, 0);
    expect([value(runtime, "depth", "q", "0"), value(runtime, "depth", "q", "-100")]).toEqual([2, 0]);
    told.taken("a", { priority: 0, waitedMs: 20, takenAt: 20 });
    expect([value(runtime, "depth", "q", "0"), value(runtime, "adds_total", "q"), value(runtime, "queue_duration_seconds", "q")]).toEqual([
      1, 2, 0.02,
    ]);
  });

  it("reports a single depth without byPriority", () => {
    const { runtime, told } = start(false);
    told.added(0);
    expect(value(runtime, "depth", "q", "")).toBe(1);
  });

  it("combines priorities beyond the first 25, and never reports a negative depth", () => {
    const { runtime, told } = start();
    for (let priority = 0; priority < 40; priority++) told.added(priority);
    expect([
      value(runtime, "depth", "q", "24"),
      value(runtime, "depth", "q", "25"),
      value(runtime, "depth", "q", "exceeded_cardinality_limit"),
    ]).toEqual([1, undefined, 15]);
    for (let priority = 0; priority < 40; priority++) told.taken(String(priority), { priority, waitedMs: 0, takenAt: 0 });
    expect([value(runtime, "depth", "q", "24"), value(runtime, "depth", "q", "exceeded_cardinality_limit")]).toEqual([0, 0]);
  });

  it("updates the ages of current runs every 500 ms and on refresh, and resets them to zero when nothing runs", async () => {
    const { runtime, told } = start();
    const ages = (): unknown => [value(runtime, "unfinished_work_seconds", "q"), value(runtime, "longest_running_processor_seconds", "q")];
    told.taken("a", { priority: 0, waitedMs: 0, takenAt: 0 });
    await runtime.clock.advance(300);
    told.taken("b", { priority: 0, waitedMs: 0, takenAt: 300 });
    await runtime.clock.advance(250);
    expect(ages()).toEqual([0.7, 0.5]);
    told.refresh();
    expect(ages()).toEqual([0.8, 0.55]);
    await runtime.clock.advance(1450);
    expect(ages()).toEqual([3.7, 2]);
    told.done("a", 2000);
    told.done("b", 2000);
    told.done("b", 2000);
    expect(ages()).toEqual([0, 0]);
    expect(value(runtime, "work_duration_seconds", "q")).toBe(3.7);
  });

  it("leaves no timer after the next refresh when nothing runs", async () => {
    const { runtime, told } = start();
    expect(runtime.clock.pending).toEqual([]);
    told.taken("a", { priority: 0, waitedMs: 0, takenAt: 0 });
    told.done("a", 0);
    await runtime.clock.advance(600);
    expect(runtime.clock.pending).toEqual([]);
  });
});
