import { createMetrics, prometheusText } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { eventMetrics } from "./event-metrics.ts";

describe("eventMetrics", () => {
  it("returns metrics that all exist from the start, at zero", () => {
    const metrics = createMetrics();
    eventMetrics(metrics);
    const lines = prometheusText(metrics)
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines).toEqual([
      ...["dropped", "failed", "invalid", "spam", "written"].map((outcome) => `events_outcomes_total{outcome="${outcome}"} 0`),
      "events_queue_depth 0",
      "events_recorded_total 0",
      "events_write_retries_total 0",
    ]);
  });
});
