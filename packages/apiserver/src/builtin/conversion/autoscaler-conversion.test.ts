import { deepFreeze } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonOf } from "../../typed-object.ts";
import { autoscalerFromStored, autoscalerToStored } from "./autoscaler-conversion.ts";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const alpha = "autoscaling.alpha.kubernetes.io";
const cpu = (averageUtilization: number): JsonObject => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});
const v1 = (spec: JsonObject, annotations?: JsonObject, status: JsonObject = {}): JsonObject => ({
  apiVersion: "autoscaling/v1",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a", ...(annotations === undefined ? {} : { annotations }) },
  spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, ...spec },
  status: { currentReplicas: 0, desiredReplicas: 0, ...status },
});
const v2 = (spec: JsonObject, status: JsonObject = {}): JsonObject => ({
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a" },
  spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, ...spec },
  status: { desiredReplicas: 0, currentMetrics: null, ...status },
});

describe("autoscalerToStored (v1 to v2)", () => {
  it("turns the CPU target into a metric, 80 % by default", () => {
    expect(autoscalerToStored(v1({ targetCPUUtilizationPercentage: 50 }))).toEqual(v2({ metrics: [cpu(50)] }));
    expect(autoscalerToStored(v1({}))).toEqual(v2({ metrics: [cpu(80)] }));
  });

  it("puts the metrics of the annotation before CPU, and drops the annotation", () => {
    const annotations = { [`${alpha}/metrics`]: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1"}}]', mine: "x" };
    const pods = { type: "Pods", pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } } };
    expect(autoscalerToStored(v1({ targetCPUUtilizationPercentage: 50 }, annotations))).toEqual({
      ...v2({ metrics: [pods, cpu(50)] }),
      metadata: { name: "a", annotations: { mine: "x" } },
    });
    expect(autoscalerToStored(v1({}, annotations))).toMatchObject(v2({ metrics: [pods] }));
  });

  it("drops malformed annotations", () => {
    const broken = {
      [`${alpha}/metrics`]: '[{"type":1}]',
      [`${alpha}/behavior`]: "[]",
      [`${alpha}/conditions`]: "{",
      [`${alpha}/current-metrics`]: "1",
    };
    expect(autoscalerToStored(v1({}, broken))).toEqual(v2({ metrics: [cpu(80)] }));
  });

  it("takes the current CPU utilization, unless an annotation has more", () => {
    const known = {
      [`${alpha}/current-metrics`]:
        '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":5,"currentAverageValue":"10m"}}]',
    };
    const status = { currentCPUUtilizationPercentage: 7, currentReplicas: 2, observedGeneration: 4, lastScaleTime: "2024-01-02T03:04:05Z" };
    const rest = { currentReplicas: 2, observedGeneration: 4, lastScaleTime: "2024-01-02T03:04:05Z" };
    expect(autoscalerToStored(v1({}, undefined, status))).toEqual(
      v2(
        { metrics: [cpu(80)] },
        { ...rest, currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 7 } } }] },
      ),
    );
    expect(autoscalerToStored(v1({}, known, status))).toEqual(
      v2(
        { metrics: [cpu(80)] },
        {
          ...rest,
          currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 5, averageValue: "10m" } } }],
        },
      ),
    );
  });
});

describe("autoscalerFromStored (v2 to v1)", () => {
  it("writes annotations in kube-apiserver's format", () => {
    const stored = v2(
      {
        behavior: { scaleUp: { selectPolicy: "Max" } },
        metrics: [
          {
            type: "Object",
            object: {
              describedObject: { kind: "a", name: "b" },
              metric: { name: "m", selector: { matchLabels: { b: "1", a: "<" } } },
              target: { type: "Value", value: "1500m" },
            },
          },
          cpu(60),
        ],
      },
      { conditions: [{ type: "A", status: "True", lastTransitionTime: null }] },
    );
    expect(autoscalerFromStored(stored)).toEqual(
      v1(
        { targetCPUUtilizationPercentage: 60 },
        {
          [`${alpha}/behavior`]:
            '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":null,"Tolerance":null},"ScaleDown":null}',
          [`${alpha}/conditions`]: '[{"type":"A","status":"True","lastTransitionTime":null}]',
          [`${alpha}/metrics`]:
            '[{"type":"Object","object":{"target":{"kind":"a","name":"b"},"metricName":"m","targetValue":"1500m","selector":{"matchLabels":{"a":"\\u003c","b":"1"}}}}]',
        },
      ),
    );
  });

  it("keeps the first CPU target and the last CPU status", () => {
    const measured = [5, 6].map((averageUtilization) => ({ type: "Resource", resource: { name: "cpu", current: { averageUtilization } } }));
    expect(autoscalerFromStored(v2({ metrics: [cpu(50), cpu(60)] }, { currentMetrics: measured }))).toMatchObject({
      spec: { targetCPUUtilizationPercentage: 50 },
      status: { currentCPUUtilizationPercentage: 6 },
    });
  });
});

const quantity = fc.constantFrom("1", "100m", "1500m", "1Gi", "2k");
const word = fc.constantFrom("a", "b<c", "__proto__", "é");
const selector = fc.option(fc.record({ matchLabels: fc.constantFrom({ a: "1" }, { b: "2", a: "<" }) }), { nil: undefined });
const without = (value: JsonObject): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
const metric = fc.record({ name: word, selector });
const describedObject = fc.record({ kind: word, name: word });
const spec = fc.oneof(
  fc.record({
    type: fc.constant("Pods"),
    pods: fc.record({ metric, target: fc.record({ type: fc.constant("AverageValue"), averageValue: quantity }) }),
  }),
  fc.record({
    type: fc.constant("Object"),
    object: fc.record({
      describedObject,
      metric,
      target: fc.record({ type: fc.constant("AverageValue"), averageValue: quantity, value: fc.option(quantity, { nil: undefined }) }),
    }),
  }),
  fc.record({
    type: fc.constant("Object"),
    object: fc.record({ describedObject, metric, target: fc.record({ type: fc.constant("Value"), value: quantity }) }),
  }),
  fc.record({
    type: fc.constant("External"),
    external: fc.record({ metric, target: fc.record({ type: fc.constant("Value"), value: quantity }) }),
  }),
  fc.record({
    type: fc.constant("Resource"),
    resource: fc.record({
      name: fc.constant("memory"),
      target: fc.record({ type: fc.constant("Utilization"), averageUtilization: fc.nat(100) }),
    }),
  }),
);
const rules = fc.record(
  {
    selectPolicy: fc.constantFrom("Max", "Min"),
    policies: fc.constant([{ type: "Pods", value: 1, periodSeconds: 5 }]),
    tolerance: quantity,
  },
  { requiredKeys: [] },
);
const stored = fc
  .record({ metrics: fc.array(spec, { maxLength: 4 }), cpu: fc.option(fc.nat(100)), behavior: fc.option(rules) })
  .map(({ metrics, cpu: target, behavior }) =>
    without(
      v2({
        metrics: [...metrics.map(jsonOf), ...(target === null && metrics.length > 0 ? [] : [cpu(target ?? 80)])],
        ...(behavior === null ? {} : { behavior: { scaleUp: jsonOf(behavior) } }),
      }),
    ),
  );

describe("HorizontalPodAutoscaler conversion", () => {
  it("round-trips v2 through v1, with CPU as the last metric", () => {
    fc.assert(
      fc.property(stored, (object) => {
        const old = autoscalerFromStored(object);
        deepFreeze(object);
        deepFreeze(old);
        expect(autoscalerFromStored(object)).toEqual(old);
        expect(autoscalerToStored(old)).toEqual(object);
      }),
    );
  });

  it("round-trips v1 through the store", () => {
    fc.assert(
      fc.property(stored, (object) => {
        const old = autoscalerFromStored(object);
        expect(autoscalerFromStored(autoscalerToStored(old))).toEqual(old);
      }),
    );
  });

  it("accepts partial objects without a spec", () => {
    const part: JsonObject = { apiVersion: "autoscaling/v1", kind: "HorizontalPodAutoscaler", metadata: { name: "web" } };
    expect(autoscalerToStored(part)).toMatchObject({ apiVersion: "autoscaling/v2", metadata: { name: "web" } });
    expect(autoscalerFromStored({ ...part, apiVersion: "autoscaling/v2" })).toMatchObject({
      apiVersion: "autoscaling/v1",
      metadata: { name: "web" },
    });
  });
});
