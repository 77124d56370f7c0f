/** HorizontalPodAutoscaler of both versions; v1 is printed in its stored form, v2. */
import type { HorizontalPodAutoscaler } from "@drover/api/autoscaling/v2";
import { autoscalerToStored } from "../../builtin/conversion/autoscaler-conversion.ts";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";
import { metricTargets } from "./metric-targets.ts";

export const horizontalPodAutoscalerPrinter: TablePrinter = printer<HorizontalPodAutoscaler>(
  [
    nameColumn,
    column("Reference", "The target of the scaling."),
    column("Targets", "The metrics: current and target values."),
    column("MinPods", "The least number of pods."),
    column("MaxPods", "The greatest number of pods."),
    column("Replicas", "The current number of pods."),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
    name,
    `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`,
    metricTargets(spec?.metrics ?? [], status?.currentMetrics ?? []),
    String(spec?.minReplicas ?? "<unset>"),
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageOf(creationTimestamp, now),
  ],
);

export const horizontalPodAutoscalerV1Printer: TablePrinter = {
  columns: horizontalPodAutoscalerPrinter.columns,
  row: (object, now) => horizontalPodAutoscalerPrinter.row(autoscalerToStored(object), now),
};
