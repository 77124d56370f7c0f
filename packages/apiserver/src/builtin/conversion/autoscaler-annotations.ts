/** Annotations in which autoscaling/v1 carries what only autoscaling/v2 has fields for. */
import { compareBytes, setOwn } from "@drover/machinery";

export const metricsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";
export const currentMetricsAnnotation = "autoscaling.alpha.kubernetes.io/current-metrics";
export const conditionsAnnotation = "autoscaling.alpha.kubernetes.io/conditions";
export const behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior";

const all: readonly string[] = [
  metricsAnnotation,
  currentMetricsAnnotation,
  conditionsAnnotation,
  behaviorAnnotation,
  "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
  "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
];

/** Returns the metadata with exactly these of the autoscaler annotations, sorted; without annotations if none are left. */
export function withAutoscalerAnnotations<T extends { annotations?: Record<string, string> }>(
  metadata: T,
  carried: Readonly<Record<string, string | undefined>>,
): T {
  const others = Object.entries(metadata.annotations ?? {}).filter(([name]) => !all.includes(name));
  const kept: Record<string, string> = {};
  for (const [name, text] of [...others, ...Object.entries(carried)].toSorted(([a], [b]) => compareBytes(a, b)))
    if (text !== undefined) setOwn(kept, name, text);
  const { annotations: _old, ...rest } = metadata;
  return (Object.keys(kept).length === 0 ? rest : { ...rest, annotations: kept }) as T;
}
