import type { MetricStatus } from "@drover/api/autoscaling/v2";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { GoJsonFields } from "./go-json-fields.ts";
import { encodeMetricStatus, readMetricStatus } from "./metric-status-conversion.ts";

const text = (metric: MetricStatus): string => JSON.stringify(encodeMetricStatus(metric));
const again = (metric: MetricStatus): MetricStatus => readMetricStatus(new GoJsonFields(JSON.parse(text(metric)) as JsonObject));

describe("metric statuses of autoscaling/v1", () => {
  it("are encoded as kube-apiserver does, with zeros for required values", () => {
    expect(text({ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 5 } } })).toBe(
      '{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":5,"currentAverageValue":"0"}}',
    );
    expect(text({ type: "External", external: { metric: { name: "e" }, current: {} } })).toBe(
      '{"type":"External","external":{"metricName":"e","currentValue":"0"}}',
    );
  });

  it("round-trip if nothing was omitted", () => {
    const metrics: MetricStatus[] = [
      {
        type: "Object",
        object: {
          describedObject: { kind: "Service", name: "s", apiVersion: "v1" },
          metric: { name: "m", selector: { matchLabels: { a: "b" } } },
          current: { value: "1", averageValue: "2" },
        },
      },
      { type: "Pods", pods: { metric: { name: "m" }, current: { averageValue: "1500m" } } },
      { type: "Resource", resource: { name: "memory", current: { averageValue: "1Gi", averageUtilization: 5 } } },
      { type: "ContainerResource", containerResource: { name: "cpu", container: "c", current: { averageValue: "1" } } },
      { type: "External", external: { metric: { name: "e", selector: {} }, current: { value: "1", averageValue: "2" } } },
    ];
    expect(metrics.map(again)).toEqual(metrics);
  });
});
