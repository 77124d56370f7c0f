/** Metric specs of autoscaling/v2, and their form in v1's annotation. */
import { Quantity } from "@drover/machinery";
import type { ExternalMetricSource, MetricSpec, MetricTarget, ObjectMetricSource } from "@drover/api/autoscaling/v2";
import type { GoJsonFields } from "./go-json-fields.ts";
import { compact, noReference, orderedReference, orderedSelector, readMetric, readReference } from "./metric-parts.ts";

/** Returns the v1 form in its field order; undefined members are not written. */
export function encodeMetricSpec({ type, object, pods, resource, containerResource, external }: MetricSpec): object {
  return {
    type,
    object: object && {
      target: orderedReference(object.describedObject),
      metricName: object.metric.name,
      targetValue: object.target.value ?? "0",
      selector: orderedSelector(object.metric.selector),
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? "0",
      selector: orderedSelector(pods.metric.selector),
    },
    resource: resource && { name: resource.name, ...averageTarget(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...averageTarget(containerResource.target),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: orderedSelector(external.metric.selector),
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  };
}

const averageTarget = ({ averageUtilization, averageValue }: MetricTarget): object => ({
  targetAverageUtilization: averageUtilization,
  targetAverageValue: averageValue,
});

export function readMetricSpec(fields: GoJsonFields): MetricSpec {
  return compact<MetricSpec>({
    type: fields.text("type"),
    object: fields.struct("object", readObject),
    pods: fields.struct("pods", (pods) => ({
      metric: readMetric(pods, "selector"),
      target: { type: "AverageValue", averageValue: pods.quantity("targetAverageValue") },
    })),
    resource: fields.struct("resource", (resource) => ({ name: resource.text("name"), target: readAverageTarget(resource) })),
    containerResource: fields.struct("containerResource", (resource) => ({
      name: resource.text("name"),
      container: resource.text("container"),
      target: readAverageTarget(resource),
    })),
    external: fields.struct("external", readExternal),
  });
}

// v1 cannot omit the value; next to an average, a value of 0 means none.
function readObject(fields: GoJsonFields): ObjectMetricSource {
  const value = fields.quantity("targetValue");
  const averageValue = fields.optionalQuantity("averageValue");
  const target: MetricTarget =
    averageValue === undefined
      ? { type: "Value", value }
      : compact({ type: "AverageValue", value: Quantity.parse(value).isZero() ? undefined : value, averageValue });
  return { describedObject: fields.struct("target", readReference) ?? { ...noReference }, metric: readMetric(fields, "selector"), target };
}

function readExternal(fields: GoJsonFields): ExternalMetricSource {
  const value = fields.optionalQuantity("targetValue");
  const averageValue = fields.optionalQuantity("targetAverageValue");
  return {
    metric: readMetric(fields, "metricSelector"),
    target: compact({ type: value === undefined ? "AverageValue" : "Value", value, averageValue }),
  };
}

function readAverageTarget(fields: GoJsonFields): MetricTarget {
  const averageUtilization = fields.optionalInt32("targetAverageUtilization");
  const averageValue = fields.optionalQuantity("targetAverageValue");
  return compact({ type: averageUtilization === undefined ? "AverageValue" : "Utilization", averageValue, averageUtilization });
}
