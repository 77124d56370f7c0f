/** ReplicaSet: replica counts. */
import type { ReplicaSet } from "@drover/api/apps/v1";
import { formatLabelSelector } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from "../columns.ts";
import { containerText } from "../container-text.ts";
import { printer } from "../printer.ts";

export const replicaSetPrinter: TablePrinter = printer<ReplicaSet>(
  [
    nameColumn,
    column("Desired", "The desired number of pods.", { type: "integer" }),
    column("Current", "The current number of pods.", { type: "integer" }),
    column("Ready", "The number of ready pods.", { type: "integer" }),
    ageColumn,
    containersColumn,
    imagesColumn,
    column("Selector", "The labels by which pods are found.", { priority: 1 }),
  ],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
    name,
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageOf(creationTimestamp, now),
    ...containerText(spec?.template),
    formatLabelSelector(spec?.selector),
  ],
);
