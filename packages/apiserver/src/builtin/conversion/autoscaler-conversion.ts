/**
 * HorizontalPodAutoscaler conversion. v2 is stored; v1 has a field for CPU only and carries the rest in annotations.
 *
 *     autoscaling/v1 → autoscalerToStored → autoscaling/v2 → autoscalerFromStored → autoscaling/v1
 */
import { encodeJson } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type * as v1 from "@drover/api/autoscaling/v1";
import type * as v2 from "@drover/api/autoscaling/v2";
import { jsonOf } from "../../typed-object.ts";
import {
  behaviorAnnotation,
  conditionsAnnotation,
  currentMetricsAnnotation,
  metricsAnnotation,
  withAutoscalerAnnotations,
} from "./autoscaler-annotations.ts";
import { GoJsonFields, readGoJson, readList } from "./go-json-fields.ts";
import { compact } from "./metric-parts.ts";
import { encodeMetricSpec, readMetricSpec } from "./metric-spec-conversion.ts";
import { encodeMetricStatus, readMetricStatus } from "./metric-status-conversion.ts";
import { encodeScalingBehavior, readScalingBehavior } from "./scaling-behavior-conversion.ts";

/** Default target, in percent of the requested CPU. */
export const defaultCpuUtilization = 80;

/** Turns annotations into fields; malformed ones are dropped. Does not change its argument. */
export const autoscalerToStored = (object: JsonObject): JsonObject =>
  jsonOf(toV2(withSpec(object) as unknown as v1.HorizontalPodAutoscaler));

/** Turns what v1 has no field for into annotations. Does not change its argument. */
export const autoscalerFromStored = (object: JsonObject): JsonObject =>
  jsonOf(toV1(withSpec(object) as unknown as v2.HorizontalPodAutoscaler));

/** Apply configurations and managed fields may lack the spec. */
const withSpec = (object: JsonObject): JsonObject => ({ spec: {}, ...object });

/** A CPU metric with a utilization target in percent of requests. */
export const cpuMetric = (averageUtilization: number): v2.MetricSpec => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});

function toV2({ kind: _kind, apiVersion: _version, metadata, spec, status }: v1.HorizontalPodAutoscaler): v2.HorizontalPodAutoscaler {
  const carried = <T>(name: string, read: (value: Parameters<Parameters<typeof readGoJson>[1]>[0]) => T): T | undefined => {
    const text = metadata.annotations === undefined || !Object.hasOwn(metadata.annotations, name) ? undefined : metadata.annotations[name];
    return text === undefined ? undefined : readGoJson(text, read);
  };
  const cpu = spec.targetCPUUtilizationPercentage;
  const metrics = [
    ...(carried(metricsAnnotation, (list) => readList(list, readMetricSpec)) ?? []),
    ...(cpu === undefined ? [] : [cpuMetric(cpu)]),
  ];
  const measured = status?.currentCPUUtilizationPercentage;
  const currentMetrics =
    carried(currentMetricsAnnotation, (list) => readList(list, readMetricStatus)) ??
    (measured === undefined ? [] : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: measured } } }]);
  const conditions = carried(conditionsAnnotation, (list) => readList(list, readCondition));
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v2",
    metadata: withAutoscalerAnnotations(metadata, {}),
    spec: compact({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      metrics: metrics.length === 0 ? [cpuMetric(defaultCpuUtilization)] : metrics,
      behavior: carried(behaviorAnnotation, (value) => readScalingBehavior(new GoJsonFields(value))),
    }),
    status: compact({
      observedGeneration: status?.observedGeneration,
      lastScaleTime: status?.lastScaleTime,
      currentReplicas: status?.currentReplicas || undefined,
      desiredReplicas: status?.desiredReplicas ?? 0,
      currentMetrics: listOrNull(currentMetrics),
      conditions: conditions?.length === 0 ? undefined : conditions,
    }),
  };
}

function toV1({ metadata, spec, status }: v2.HorizontalPodAutoscaler): v1.HorizontalPodAutoscaler {
  const metrics = spec.metrics ?? [];
  const measured = status?.currentMetrics ?? [];
  const carriedList = (list: readonly object[]): string | undefined => (list.length === 0 ? undefined : encode(list));
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: withAutoscalerAnnotations(metadata, {
      [metricsAnnotation]: carriedList(metrics.filter((metric) => cpuUtilizationOf(metric) === undefined).map(encodeMetricSpec)),
      [currentMetricsAnnotation]: carriedList(measured.map(encodeMetricStatus)),
      [behaviorAnnotation]: spec.behavior && encode(encodeScalingBehavior(spec.behavior)),
      [conditionsAnnotation]: carriedList((status?.conditions ?? []).map(encodeCondition)),
    }),
    spec: compact({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      targetCPUUtilizationPercentage: metrics.map(cpuUtilizationOf).find((cpu) => cpu !== undefined),
    }),
    status: compact({
      observedGeneration: status?.observedGeneration,
      lastScaleTime: status?.lastScaleTime,
      currentReplicas: status?.currentReplicas ?? 0,
      desiredReplicas: status?.desiredReplicas ?? 0,
      currentCPUUtilizationPercentage: measured.map(measuredCpuOf).findLast((cpu) => cpu !== undefined),
    }),
  };
}

const cpuUtilizationOf = ({ type, resource }: v2.MetricSpec): number | undefined =>
  type === "Resource" && resource?.name === "cpu" ? resource.target.averageUtilization : undefined;

const measuredCpuOf = ({ type, resource }: v2.MetricStatus): number | undefined =>
  type === "Resource" && resource?.name === "cpu" ? resource.current.averageUtilization : undefined;

const encode = (value: object): string => encodeJson(value, { escapeHtml: true });

// Go cannot omit a time; an unset one is null.
const encodeCondition = ({ type, status, lastTransitionTime, reason, message }: v2.HorizontalPodAutoscalerCondition): object => ({
  type,
  status,
  lastTransitionTime: lastTransitionTime ?? null,
  reason,
  message,
});

const readCondition = (fields: GoJsonFields): v2.HorizontalPodAutoscalerCondition =>
  compact({
    type: fields.text("type"),
    status: fields.text("status"),
    lastTransitionTime: fields.optionalTime("lastTransitionTime") ?? (null as never),
    reason: fields.text("reason") || undefined,
    message: fields.text("message") || undefined,
  });

/** This list is always written, and Go writes an empty one as null. */
const listOrNull = (list: v2.MetricStatus[]): v2.MetricStatus[] => (list.length === 0 ? (null as never) : list);
