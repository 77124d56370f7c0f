import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics-registry.ts";
import type { MetricsRegistry } from "./metrics-registry.ts";
import { prometheusText } from "./prometheus-text.ts";

const options = { name: "requests_total", help: "Requests.", labels: ["code", "method"] };
const samples = (metrics: MetricsRegistry): string[] =>
  prometheusText(metrics)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

describe("createMetrics", () => {
  it("counts by label set, in any order of the labels, bound or not", () => {
    const metrics = createMetrics();
    const requests = metrics.counter(options);
    requests.add(2, { code: "200", method: "GET" });
    requests.with({ method: "GET", code: "200" }).add();
    requests.with({ code: "500", method: "GET" });
    expect(samples(metrics)).toEqual(['requests_total{code="200",method="GET"} 3', 'requests_total{code="500",method="GET"} 0']);
    requests.remove({ code: "500", method: "GET" });
    expect(samples(metrics)).toEqual(['requests_total{code="200",method="GET"} 3']);
  });

  it("separates label sets whose values run together", () => {
    const metrics = createMetrics();
    const requests = metrics.counter(options);
    requests.add(1, { code: "1", method: "1:a" });
    requests.add(1, { code: "11", method: ":a" });
    requests.add(1, { code: "", method: "__proto__" });
    expect(samples(metrics)).toHaveLength(3);
  });

  it("sets gauges and moves them both ways", () => {
    const metrics = createMetrics();
    const depth = metrics.gauge({ name: "depth", help: "Depth." });
    depth.set(5);
    depth.add(-2);
    expect(samples(metrics)).toEqual(["depth 3"]);
  });

  it("counts an observation in the first bucket whose bound it does not exceed", () => {
    const metrics = createMetrics();
    const seconds = metrics.histogram({ name: "seconds", help: "Seconds.", buckets: [0.1, 1, 10] });
    for (const value of [0.1, 0.10001, 1, 5, 100, -3]) seconds.observe(value);
    expect(samples(metrics)).toEqual([
      'seconds_bucket{le="0.1"} 2',
      'seconds_bucket{le="1"} 4',
      'seconds_bucket{le="10"} 5',
      'seconds_bucket{le="+Inf"} 6',
      "seconds_sum 103.20001",
      "seconds_count 6",
    ]);
    seconds.observe(NaN);
    expect(samples(metrics).slice(2)).toEqual([
      'seconds_bucket{le="10"} 5',
      'seconds_bucket{le="+Inf"} 7',
      "seconds_sum NaN",
      "seconds_count 7",
    ]);
  });

  it("returns the same metric for the same shape, and rejects another shape", () => {
    const metrics = createMetrics();
    expect(metrics.counter(options)).toBe(metrics.counter({ ...options, help: "Other words." }));
    expect(() => metrics.counter({ ...options, labels: ["code"] })).toThrow("metric requests_total is already registered");
    expect(() => metrics.gauge(options)).toThrow("metric requests_total is already registered");
    metrics.histogram({ name: "h", help: "", buckets: [1] });
    expect(() => metrics.histogram({ name: "h", help: "", buckets: [2] })).toThrow("metric h is already registered");
  });

  it("rejects bad names, labels and buckets", () => {
    const metrics = createMetrics();
    const refused = (name: string, labels: string[] = [], buckets?: number[]): void => {
      const ask = (): unknown =>
        buckets === undefined ? metrics.counter({ name, help: "", labels }) : metrics.histogram({ name, help: "", labels, buckets });
      expect(ask).toThrow(Error);
    };
    for (const name of ["", "1a", "a-b", "ü", "a b"]) refused(name);
    for (const label of ["", "1a", "a:b", "__name__", "a-b"]) refused("ok", [label]);
    refused("ok", ["a", "a"]);
    refused("ok", ["le"], [1]);
    for (const buckets of [[1, 1], [2, 1], [NaN], [1, Infinity]]) refused("ok", [], buckets);
    expect(metrics.families()).toEqual([]);
    metrics.counter({ name: "ok:rule", help: "", labels: ["le"] });
  });

  it("rejects wrong label sets and names the right ones", () => {
    const requests = createMetrics().counter(options);
    for (const labels of [undefined, {}, { code: "200" }, { code: "200", method: "GET", extra: "x" }, { code: "200", other: "GET" }]) {
      expect(() => requests.add(1, labels)).toThrow("metric requests_total takes the labels {code, method}");
    }
    expect(() => createMetrics().counter({ name: "a", help: "" }).add(1, { toString: "x" })).toThrow("takes the labels {}");
  });

  it("rejects decreasing a counter", () => {
    const total = createMetrics().counter({ name: "a", help: "" });
    expect(() => total.add(-1)).toThrow("a counter cannot decrease");
    expect(() => total.add(NaN)).toThrow("a counter cannot decrease");
  });

  it("gathers label sets beyond the limit under one, and counts them per metric", () => {
    const metrics = createMetrics({ labelSetsMax: 2 });
    const byUser = metrics.counter({ name: "by_user", help: "", labels: ["user"] });
    for (const user of ["a", "b", "c", "d", "c"]) byUser.add(1, { user });
    expect(samples(metrics)).toEqual([
      'by_user{user="a"} 1',
      'by_user{user="b"} 1',
      'by_user{user="overflow"} 3',
      'drover_metrics_overflow_total{metric="by_user"} 3',
    ]);
  });
});
