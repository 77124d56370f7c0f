import { createMetrics, prometheusText } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { reflectorMetrics, versionNumber } from "./reflector-metrics.ts";

describe("reflectorMetrics", () => {
  it("starts at zero, under client-go's names", () => {
    const metrics = createMetrics();
    const { lists, lastVersion } = reflectorMetrics(metrics, "pods");
    lists.add();
    lastVersion.set(17);
    const text = prometheusText(metrics);
    expect(text).toContain('reflector_lists_total{name="pods"} 1\n');
    expect(text).toContain('reflector_watches_total{name="pods"} 0\n');
    expect(text).toContain('reflector_last_resource_version{name="pods"} 17\n');
  });

  it("can be created by two reflectors with the same name", () => {
    const metrics = createMetrics();
    reflectorMetrics(metrics, "pods").watches.add();
    reflectorMetrics(metrics, "pods").watches.add();
    expect(prometheusText(metrics)).toContain('reflector_watches_total{name="pods"} 2\n');
  });
});

describe("versionNumber", () => {
  it("keeps the last fifteen digits, which fit a number, and ignores other versions", () => {
    expect([versionNumber("42"), versionNumber("1234567890123456789"), versionNumber(""), versionNumber("a1")]).toEqual([
      42,
      567890123456789,
      undefined,
      undefined,
    ]);
  });
});
