import type { MetricSpec } from "@drover/api/autoscaling/v2";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { GoJsonFields } from "./go-json-fields.ts";
import { encodeMetricSpec, readMetricSpec } from "./metric-spec-conversion.ts";

const text = (metric: MetricSpec): string => JSON.stringify(encodeMetricSpec(metric));
const read = (value: JsonObject): MetricSpec => readMetricSpec(new GoJsonFields(value));
const again = (metric: MetricSpec): MetricSpec => read(JSON.parse(text(metric)) as JsonObject);

describe("metric specs of autoscaling/v1", () => {
  it("are encoded as kube-apiserver does", () => {
    expect(
      text({
        type: "Object",
        object: { describedObject: { kind: "Service", name: "s" }, metric: { name: "m" }, target: { type: "Value", value: "10" } },
      }),
    ).toBe('{"type":"Object","object":{"target":{"kind":"Service","name":"s"},"metricName":"m","targetValue":"10"}}');
    expect(
      text({
        type: "ContainerResource",
        containerResource: { name: "cpu", container: "c", target: { type: "Utilization", averageUtilization: 5 } },
      }),
    ).toBe('{"type":"ContainerResource","containerResource":{"name":"cpu","targetAverageUtilization":5,"container":"c"}}');
  });

  it("derive the target type from the fields that are set", () => {
    expect(read({ type: "Resource", resource: { name: "cpu", targetAverageUtilization: 5 } }).resource?.target).toEqual({
      type: "Utilization",
      averageUtilization: 5,
    });
    expect(read({ type: "Resource", resource: { name: "cpu" } }).resource?.target).toEqual({ type: "AverageValue" });
    expect(read({ type: "External", external: { metricName: "e", targetValue: "5" } }).external?.target).toEqual({
      type: "Value",
      value: "5",
    });
    expect(read({ type: "External", external: { metricName: "e", targetAverageValue: "5" } }).external?.target).toEqual({
      type: "AverageValue",
      averageValue: "5",
    });
    expect(read({ type: "Pods", pods: { metricName: "m" } }).pods?.target).toEqual({ type: "AverageValue", averageValue: "0" });
  });

  it("read an object metric's value of 0 next to an average as unset", () => {
    const described = { describedObject: { kind: "Service", name: "s" }, metric: { name: "m" } };
    const average: MetricSpec = { type: "Object", object: { ...described, target: { type: "AverageValue", averageValue: "10" } } };
    expect(text(average)).toContain('"targetValue":"0"');
    expect(again(average)).toEqual(average);
    const both: MetricSpec = { type: "Object", object: { ...described, target: { type: "AverageValue", averageValue: "10", value: "3" } } };
    expect(again(both)).toEqual(both);
    expect(read({ type: "Object", object: {} }).object?.target).toEqual({ type: "Value", value: "0" });
  });
});
