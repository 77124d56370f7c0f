import { createMetrics, prometheusText } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { shardMetrics } from "./shard-metrics.ts";

describe("shardMetrics", () => {
  it("exist from the start, at zero", () => {
    const metrics = createMetrics();
    shardMetrics(metrics, "web").lost.add();
    const text = prometheusText(metrics);
    for (const line of ['drover_shards_held{name="web"} 0', 'drover_shard_losses_total{name="web"} 1']) expect(text).toContain(line);
  });
});
