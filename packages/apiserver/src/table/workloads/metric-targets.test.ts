import type { MetricSpec, MetricTarget } from "@drover/api/autoscaling/v2";
import { describe, expect, it } from "vitest";
import { metricTargets } from "./metric-targets.ts";

const metric = { name: "m" };
const describedObject = { kind: "Service", name: "s" };
const cpu = (target: Partial<MetricTarget>): MetricSpec => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "", ...target } },
});

describe("metricTargets", () => {
  it("prints resource metrics as utilization or average value, with the name", () => {
    expect(
      metricTargets(
        [cpu({ averageUtilization: 70 })],
        [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 40 } } }],
      ),
    ).toBe("cpu: 40%/70%");
    expect(
      metricTargets([cpu({ averageValue: "1" })], [{ type: "Resource", resource: { name: "cpu", current: { averageValue: "500m" } } }]),
    ).toBe("cpu: 500m/1");
    expect(metricTargets([cpu({})], [])).toBe("cpu: <unknown>/<auto>");
    const container: MetricSpec = {
      type: "ContainerResource",
      containerResource: { name: "memory", container: "c", target: { type: "", averageUtilization: 5 } },
    };
    expect(
      metricTargets(
        [container],
        [{ type: "ContainerResource", containerResource: { name: "memory", container: "c", current: { averageUtilization: 4 } } }],
      ),
    ).toBe("memory: 4%/5%");
  });

  it("prints other metrics as values or averages", () => {
    expect(
      metricTargets(
        [{ type: "Pods", pods: { metric, target: { type: "", averageValue: "5" } } }],
        [{ type: "Pods", pods: { metric, current: { averageValue: "4" } } }],
      ),
    ).toBe("4/5");
    expect(
      metricTargets(
        [{ type: "Object", object: { describedObject, metric, target: { type: "", value: "5" } } }],
        [{ type: "Object", object: { describedObject, metric, current: { value: "4" } } }],
      ),
    ).toBe("4/5");
    expect(
      metricTargets(
        [{ type: "External", external: { metric, target: { type: "", averageValue: "5" } } }],
        [{ type: "External", external: { metric, current: { averageValue: "4", value: "9" } } }],
      ),
    ).toBe("4/5 (avg)");
  });

  it("prints <unknown> without a matching status, and <nil> for another value", () => {
    expect(metricTargets([cpu({ averageValue: "1" })], [{ type: "Pods", pods: { metric, current: { averageValue: "1" } } }])).toBe(
      "cpu: <unknown>/1",
    );
    expect(
      metricTargets([cpu({ averageValue: "1" })], [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 1 } } }]),
    ).toBe("cpu: <nil>/1");
    expect(metricTargets([{ type: "Pods", pods: { metric, target: { type: "" } } }], [])).toBe("<unknown>/<nil>");
    expect(metricTargets([{ type: "Object", object: { describedObject, metric, target: { type: "" } } }], [])).toBe("<unknown>/<nil>");
    expect(metricTargets([{ type: "Gut" }], [])).toBe("<unknown type>");
  });

  it("prints <none>, or two metrics and the number of others", () => {
    expect(metricTargets([], [])).toBe("<none>");
    const one = cpu({ averageUtilization: 1 });
    expect(metricTargets([one, one], [])).toBe("cpu: <unknown>/1%, cpu: <unknown>/1%");
    expect(metricTargets([one, one, one, one], [])).toBe("cpu: <unknown>/1%, cpu: <unknown>/1% + 2 more...");
  });
});
