import * as v1 from "@drover/api/autoscaling/v1";
import { HorizontalPodAutoscaler } from "@drover/api/autoscaling/v2";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

const scaleTargetRef = { kind: "Deployment", name: "d" };

describe("HorizontalPodAutoscaler table", () => {
  it("has reference, targets and replicas", () => {
    const metrics = [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } }];
    expect(
      printed(HorizontalPodAutoscaler, {
        spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 9, metrics },
        status: { currentReplicas: 3 },
      }),
    ).toEqual({
      Name: "web",
      Reference: "Deployment/d",
      Targets: "cpu: <unknown>/70%",
      MinPods: "2",
      MaxPods: 9,
      Replicas: 3,
      Age: "5m",
    });
  });

  it("is equal for autoscaling/v1", () => {
    expect(
      printed(v1.HorizontalPodAutoscaler, {
        spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 9, targetCPUUtilizationPercentage: 70 },
        status: { currentReplicas: 3, currentCPUUtilizationPercentage: 40 },
      }),
    ).toEqual({
      Name: "web",
      Reference: "Deployment/d",
      Targets: "cpu: 40%/70%",
      MinPods: "2",
      MaxPods: 9,
      Replicas: 3,
      Age: "5m",
    });
  });
});
