/** DaemonSet: pod counts and node selector. */
import type { DaemonSet } from "@drover/api/apps/v1";
import { formatLabelSelector } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from "../columns.ts";
import { containerText } from "../container-text.ts";
import { labelText } from "../label-text.ts";
import { printer } from "../printer.ts";

export const daemonSetPrinter: TablePrinter = printer<DaemonSet>(
  [
    nameColumn,
    column("Desired", "The number of nodes that should run the pod.", { type: "integer" }),
    column("Current", "The number of nodes that run the pod.", { type: "integer" }),
    column("Ready", "The number of nodes with a ready pod.", { type: "integer" }),
    column("Up-to-date", "The number of nodes with a pod of the current template.", { type: "integer" }),
    column("Available", "The number of nodes with an available pod.", { type: "integer" }),
    column("Node Selector", "The labels of the nodes it is meant for."),
    ageColumn,
    containersColumn,
    imagesColumn,
    column("Selector", "The labels by which pods are found.", { priority: 1 }),
  ],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
    name,
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    labelText(spec?.template.spec?.nodeSelector),
    ageOf(creationTimestamp, now),
    ...containerText(spec?.template),
    formatLabelSelector(spec?.selector),
  ],
);
