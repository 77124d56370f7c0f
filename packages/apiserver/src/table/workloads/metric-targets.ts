/** Current and target metrics of an autoscaler in one cell: "cpu: 40%/80%, 12/100 (avg) + 1 more...". */
import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from "@drover/api/autoscaling/v2";

/** Number of metrics shown. */
const most = 2;

export function metricTargets(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return "<none>";
  const few = specs
    .slice(0, most)
    .map((spec, index) => metricTarget(spec, statuses[index]))
    .join(", ");
  return specs.length > most ? `${few} + ${specs.length - most} more...` : few;
}

/** The status at a metric's index belongs to it, unless its type differs. */
function metricTarget(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case "External":
      return valueTarget(spec.external?.target, status?.external?.current);
    case "Object":
      return valueTarget(spec.object?.target, status?.object?.current);
    case "Pods":
      return `${quantity(status?.pods?.current, "averageValue")}/${spec.pods?.target.averageValue ?? "<nil>"}`;
    case "Resource":
      return `${spec.resource?.name}: ${resourceTarget(spec.resource?.target, status?.resource?.current)}`;
    case "ContainerResource":
      return `${spec.containerResource?.name}: ${resourceTarget(spec.containerResource?.target, status?.containerResource?.current)}`;
    default:
      return "<unknown type>";
  }
}

function valueTarget(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? "<unknown>"}/${target.averageValue} (avg)`;
  return `${quantity(current, "value")}/${target?.value ?? "<nil>"}`;
}

function resourceTarget(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${quantity(current, "averageValue")}/${target.averageValue}`;
  return `${percent(current?.averageUtilization) ?? "<unknown>"}/${percent(target?.averageUtilization) ?? "<auto>"}`;
}

/** A status without this value counts as unknown. */
const quantity = (current: MetricValueStatus | undefined, name: "value" | "averageValue"): string =>
  current === undefined ? "<unknown>" : String(current[name] ?? "<nil>");

const percent = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value}%`);
