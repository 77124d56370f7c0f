import { createMetrics, prometheusText } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { informerMetrics } from "./informer-metrics.ts";

describe("informerMetrics", () => {
  it("starts at zero, with three metrics under client-go's names and buckets", () => {
    const metrics = createMetrics();
    informerMetrics(metrics, "pods", { group: "apps", version: "v1", resource: "deployments" });
    const text = prometheusText(metrics);
    const labels = 'group="apps",name="pods",resource="deployments",version="v1"';
    for (const name of ["informer_queued_items", "informer_store_resource_version", "informer_progress_timestamp_seconds"])
      expect(text).toContain(`${name}{${labels}} 0`);
    expect(text).toContain(`informer_processing_latency_seconds_bucket{${labels},le="0.001"} 0`);
    for (const name of ["unchanged", "stale", "poison_objects", "index_errors"])
      expect(text).toContain(`informer_${name}_total{name="pods"} 0`);
  });
});
