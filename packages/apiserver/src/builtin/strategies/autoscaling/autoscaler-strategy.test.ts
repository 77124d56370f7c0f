import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { HorizontalPodAutoscalerSpec } from "@drover/api/autoscaling/v2";
import { autoscalerStrategy, autoscalerV1Strategy } from "./autoscaler-strategy.ts";

const metadata = { name: "a" };
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const texts = (change: Partial<HorizontalPodAutoscalerSpec>): string[] =>
  (autoscalerStrategy.validate?.({ metadata, spec: { maxReplicas: 2, scaleTargetRef, ...change } }) ?? []).map(printFieldError);

describe("HorizontalPodAutoscaler strategy", () => {
  it("validates minReplicas and maxReplicas", () => {
    expect(texts({ minReplicas: 2 })).toEqual([]);
    expect(texts({ maxReplicas: 0 })).toEqual(["spec.maxReplicas: Required value: must be set and greater than 0"]);
    expect(texts({ minReplicas: 3 })).toEqual(["spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`"]);
    expect(texts({ minReplicas: 0 })).toEqual([
      "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1",
      "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
    ]);
  });

  it("validates scaling behavior", () => {
    expect(
      texts({
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 3601, policies: [{ type: "Pods", value: 0, periodSeconds: 1801 }] },
          scaleDown: { policies: [], tolerance: "-1" },
        },
      }),
    ).toEqual([
      "spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600",
      "spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero",
      "spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800",
      "spec.behavior.scaleDown.policies: Required value: must specify at least one Policy",
      'spec.behavior.scaleDown.tolerance: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });

  it("accepts an invalid target that existed before", () => {
    const object = { metadata, spec: { maxReplicas: 2, scaleTargetRef: { kind: "K", name: "n" } } };
    expect(autoscalerStrategy.validate?.(object)).toHaveLength(1);
    expect(autoscalerStrategy.validateUpdate?.(object, object)).toEqual([]);
  });

  it("validates v1 as the v2 it converts to", () => {
    const errors = autoscalerV1Strategy.validate?.({
      metadata,
      spec: { maxReplicas: 2, scaleTargetRef, targetCPUUtilizationPercentage: 0 },
    });
    expect((errors ?? []).map(printFieldError)).toEqual([
      "spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
    ]);
  });

  it("refuses negative replicas in the status", () => {
    const object = { metadata, spec: { maxReplicas: 2, scaleTargetRef } };
    expect(
      (autoscalerStrategy.subresources?.["status"]?.validateUpdate?.({ ...object, status: { desiredReplicas: -1 } }, object) ?? []).map(
        printFieldError,
      ),
    ).toEqual(["status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0"]);
  });
});
