/** Metric statuses of autoscaling/v2, and their form in v1's annotation. */
import type { MetricStatus, MetricValueStatus } from "@drover/api/autoscaling/v2";
import type { GoJsonFields } from "./go-json-fields.ts";
import { compact, noReference, orderedReference, orderedSelector, readMetric, readReference } from "./metric-parts.ts";

/** Returns the v1 form in its field order; undefined members are not written. */
export function encodeMetricStatus({ type, object, pods, resource, containerResource, external }: MetricStatus): object {
  return {
    type,
    object: object && {
      target: orderedReference(object.describedObject),
      metricName: object.metric.name,
      currentValue: object.current.value ?? "0",
      selector: orderedSelector(object.metric.selector),
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? "0",
      selector: orderedSelector(pods.metric.selector),
    },
    resource: resource && { name: resource.name, ...averageStatus(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...averageStatus(containerResource.current),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: orderedSelector(external.metric.selector),
      currentValue: external.current.value ?? "0",
      currentAverageValue: external.current.averageValue,
    },
  };
}

const averageStatus = ({ averageUtilization, averageValue }: MetricValueStatus): object => ({
  currentAverageUtilization: averageUtilization,
  currentAverageValue: averageValue ?? "0",
});

export function readMetricStatus(fields: GoJsonFields): MetricStatus {
  return compact<MetricStatus>({
    type: fields.text("type"),
    object: fields.struct("object", (object) => ({
      describedObject: object.struct("target", readReference) ?? { ...noReference },
      metric: readMetric(object, "selector"),
      current: compact({ value: object.quantity("currentValue"), averageValue: object.optionalQuantity("averageValue") }),
    })),
    pods: fields.struct("pods", (pods) => ({
      metric: readMetric(pods, "selector"),
      current: { averageValue: pods.quantity("currentAverageValue") },
    })),
    resource: fields.struct("resource", (resource) => ({ name: resource.text("name"), current: readAverageStatus(resource) })),
    containerResource: fields.struct("containerResource", (resource) => ({
      name: resource.text("name"),
      container: resource.text("container"),
      current: readAverageStatus(resource),
    })),
    external: fields.struct("external", (external) => ({
      metric: readMetric(external, "metricSelector"),
      current: compact({ value: external.quantity("currentValue"), averageValue: external.optionalQuantity("currentAverageValue") }),
    })),
  });
}

const readAverageStatus = (fields: GoJsonFields): MetricValueStatus =>
  compact({ averageValue: fields.quantity("currentAverageValue"), averageUtilization: fields.optionalInt32("currentAverageUtilization") });
