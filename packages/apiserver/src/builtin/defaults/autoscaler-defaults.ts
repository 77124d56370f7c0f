/** Autoscalers in both versions: at least one pod, and 80 % of the requested CPU where nothing else is aimed at. */
import type * as v1 from "@drover/api/autoscaling/v1";
import { HorizontalPodAutoscaler as AutoscalerV2 } from "@drover/api/autoscaling/v2";
import type { HPAScalingRules } from "@drover/api/autoscaling/v2";
import { withAutoscalerAnnotations } from "../conversion/autoscaler-annotations.ts";
import { autoscalerFromStored, autoscalerToStored, cpuMetric, defaultCpuUtilization } from "../conversion/autoscaler-conversion.ts";
import { jsonOf, typedObject } from "../../typed-object.ts";
import { elements } from "./elements.ts";

/**
 * What version 1 carries in annotations is read, completed and written anew, so that it is at once what it will be when
 * it has been stored.
 */
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

/** Double, or four more pods if that is more, every 15 seconds. */
const scaleUp = (): HPAScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
});

/** As far down as is needed. How long to wait before is the controller's own setting. */
const scaleDown = (): HPAScalingRules => ({ selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] });
