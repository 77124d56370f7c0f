import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics-registry.ts";
import { prometheusText } from "./prometheus-text.ts";

describe("prometheusText", () => {
  it("sorts families, labels and samples, whatever the order of creation", () => {
    const metrics = createMetrics();
    const b = metrics.counter({ name: "b_total", help: "Second.", labels: ["zone", "app"] });
    b.add(1_000_000, { zone: "1", app: "web" });
    b.add(1, { zone: "9", app: "api" });
    metrics.gauge({ name: "a", help: "First." }).set(-Infinity);
    metrics.counter({ name: "never_used", help: "Has labels but no samples.", labels: ["x"] });
    expect(prometheusText(metrics)).toBe(
      `# HELP a First.
# TYPE a gauge
a -Inf
# HELP b_total Second.
# TYPE b_total counter
b_total{app="api",zone="9"} 1
b_total{app="web",zone="1"} 1e+06
`,
    );
  });

  it("writes histograms with cumulative buckets, le last, then sum and count", () => {
    const metrics = createMetrics();
    metrics.histogram({ name: "h", help: "", labels: ["zone"], buckets: [0.5] }).observe(0.25, { zone: "x" });
    expect(prometheusText(metrics)).toBe(
      `# HELP h 
# TYPE h histogram
h_bucket{zone="x",le="0.5"} 1
h_bucket{zone="x",le="+Inf"} 1
h_sum{zone="x"} 0.25
h_count{zone="x"} 1
`,
    );
  });

  it("escapes what would break the lines", () => {
    const metrics = createMetrics();
    metrics.counter({ name: "c", help: 'back\\slash, line\nbreak, "quote"', labels: ["l"] }).add(1, { l: 'a\\b\nc"d' });
    expect(prometheusText(metrics)).toBe(`# HELP c back\\\\slash, line\\nbreak, "quote"\n# TYPE c counter\nc{l="a\\\\b\\nc\\"d"} 1\n`);
  });
});
