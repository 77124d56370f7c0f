import { createMetrics, prometheusText } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { mergeMetrics } from "./merge-metrics.ts";

function text(runs: number, label = "web"): string {
  const metrics = createMetrics();
  metrics.counter({ name: "runs_total", help: "Runs.", labels: ["controller"] }).add(runs, { controller: label });
  metrics.gauge({ name: "depth", help: "Depth." }).set(runs);
  metrics.histogram({ name: "took_seconds", help: "Time.", buckets: [1] }).observe(0.5);
  return prometheusText(metrics);
}

describe("mergeMetrics", () => {
  it("prints every family once, with the series of threads labelled", () => {
    const main = createMetrics();
    main.counter({ name: "runs_total", help: "Runs.", labels: ["controller"] }).add(0, { controller: "web" });
    main.gauge({ name: "zz", help: "Only here." }).set(1);
    const merged = mergeMetrics(
      prometheusText(main),
      new Map([
        ["1", text(3)],
        ["2", text(4, 'a "b} {c\n# HELP x')],
      ]),
    );
    expect(merged.match(/^# HELP .*$/gmu)).toEqual([
      "# HELP depth Depth.",
      "# HELP runs_total Runs.",
      "# HELP took_seconds Time.",
      "# HELP zz Only here.",
    ]);
    expect(merged).toContain('depth{thread="1"} 3\ndepth{thread="2"} 4\n');
    expect(merged).toContain('runs_total{controller="web"} 0\nruns_total{thread="1",controller="web"} 3\n');
    expect(merged).toContain('runs_total{thread="2",controller="a \\"b} {c\\n# HELP x"} 4\n');
    expect(merged).toContain('took_seconds_bucket{thread="1",le="1"} 1\n');
    expect(merged).toContain('took_seconds_sum{thread="2"} 0.5\n');
  });

  it("returns the main thread's text unchanged without threads", () => {
    expect(mergeMetrics(text(2), new Map())).toBe(text(2));
  });
});
