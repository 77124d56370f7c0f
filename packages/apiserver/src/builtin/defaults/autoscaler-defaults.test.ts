import type * as v1 from "@drover/api/autoscaling/v1";
import type * as v2 from "@drover/api/autoscaling/v2";
import { describe, expect, it } from "vitest";
import { setAutoscalerV1Defaults, setAutoscalerV2Defaults } from "./autoscaler-defaults.ts";

const spec = { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" } };
const alpha = "autoscaling.alpha.kubernetes.io";
const old = (more: Partial<v1.HorizontalPodAutoscalerSpec>, annotations: Record<string, string> = {}): v1.HorizontalPodAutoscaler => {
  const object: v1.HorizontalPodAutoscaler = { metadata: { annotations }, spec: { ...spec, ...more } };
  setAutoscalerV1Defaults(object);
  return object;
};
const made = (more: Partial<v2.HorizontalPodAutoscalerSpec>, annotations: Record<string, string> = {}): v2.HorizontalPodAutoscaler => {
  const object: v2.HorizontalPodAutoscaler = { metadata: { annotations }, spec: { ...spec, ...more } };
  setAutoscalerV2Defaults(object);
  return object;
};

describe("defaults of HorizontalPodAutoscaler v2", () => {
  it("set one replica and a CPU target of 80 %", () => {
    expect(made({})).toEqual({
      metadata: {},
      spec: {
        ...spec,
        minReplicas: 1,
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
      },
    });
    expect(made({ minReplicas: 0, metrics: [{ type: "Pods" }] }).spec).toMatchObject({ minReplicas: 0, metrics: [{ type: "Pods" }] });
  });

  it("complete both directions of an existing behavior", () => {
    const policies = {
      up: [
        { type: "Pods", value: 4, periodSeconds: 15 },
        { type: "Percent", value: 100, periodSeconds: 15 },
      ],
      down: [{ type: "Percent", value: 100, periodSeconds: 15 }],
    };
    expect(made({}).spec.behavior).toBeUndefined();
    expect(made({ behavior: { scaleUp: { stabilizationWindowSeconds: 5, tolerance: "1" } } }).spec.behavior).toEqual({
      scaleUp: { stabilizationWindowSeconds: 5, selectPolicy: "Max", policies: policies.up, tolerance: "1" },
      scaleDown: { selectPolicy: "Max", policies: policies.down },
    });
    expect(made({ behavior: { scaleDown: { selectPolicy: "Min" } } }).spec.behavior?.scaleUp?.stabilizationWindowSeconds).toBe(0);
  });

  it("drop the annotations of v1", () => {
    expect(made({}, { [`${alpha}/metrics`]: "[]", mine: "x" }).metadata).toEqual({ annotations: { mine: "x" } });
  });
});

describe("defaults of HorizontalPodAutoscaler v1", () => {
  it("set the CPU target field", () => {
    expect(old({}).spec).toEqual({ ...spec, minReplicas: 1, targetCPUUtilizationPercentage: 80 });
    expect(old({ targetCPUUtilizationPercentage: 50 }).spec.targetCPUUtilizationPercentage).toBe(50);
  });

  it("do not set the CPU target if the annotation has metrics", () => {
    const annotations = { [`${alpha}/metrics`]: '[ {"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1000m"}} ]' };
    const { metadata, spec: filled } = old({}, annotations);
    expect(metadata.annotations).toEqual({ [`${alpha}/metrics`]: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1"}}]' });
    expect(filled).not.toHaveProperty("targetCPUUtilizationPercentage");
  });

  it("complete the behavior in its annotation", () => {
    expect(old({}, { [`${alpha}/behavior`]: '{"scaleUp":{}}' }).metadata.annotations?.[`${alpha}/behavior`]).toBe(
      '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null},' +
        '"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
    );
  });

  it("drop malformed annotations", () => {
    expect(old({}, { [`${alpha}/metrics`]: "{", mine: "x" }).metadata).toEqual({ annotations: { mine: "x" } });
  });
});
