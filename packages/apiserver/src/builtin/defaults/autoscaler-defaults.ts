/** Defaults of HorizontalPodAutoscaler in both versions: at least one pod, and 80 % of the requested CPU as target. */
import type * as v1 from "@drover/api/autoscaling/v1";
import { HorizontalPodAutoscaler as AutoscalerV2 } from "@drover/api/autoscaling/v2";
import type { HPAScalingRules } from "@drover/api/autoscaling/v2";
import { withAutoscalerAnnotations } from "../conversion/autoscaler-annotations.ts";
import { autoscalerFromStored, autoscalerToStored, cpuMetric, defaultCpuUtilization } from "../conversion/autoscaler-conversion.ts";
import { jsonOf, typedObject } from "../../typed-object.ts";
import { elements } from "./elements.ts";

/** Completes the annotations of v1 too, so that the object already equals its stored form. */
export function setAutoscalerV1Defaults(autoscaler: v1.HorizontalPodAutoscaler): void {
  const stored = autoscalerToStored(jsonOf(autoscaler));
  setAutoscalerV2Defaults(typedObject(AutoscalerV2, stored));
  Object.assign(autoscaler, autoscalerFromStored(stored));
}

export function setAutoscalerV2Defaults(autoscaler: AutoscalerV2): void {
  const { spec } = autoscaler;
  autoscaler.metadata = withAutoscalerAnnotations(autoscaler.metadata, {});
  spec.minReplicas ??= 1;
  if (elements(spec.metrics).length === 0) spec.metrics = [cpuMetric(defaultCpuUtilization)];
  if (spec.behavior === undefined) return;
  spec.behavior.scaleUp = { ...scaleUp(), ...spec.behavior.scaleUp };
  spec.behavior.scaleDown = { ...scaleDown(), ...spec.behavior.scaleDown };
}

/** Doubles, or adds four pods if that is more, every 15 seconds. */
const scaleUp = (): HPAScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
});

/** Scales down as far as needed. The stabilization window is the controller's setting. */
const scaleDown = (): HPAScalingRules => ({ selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] });
