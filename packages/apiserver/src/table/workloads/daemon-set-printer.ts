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
    column("Desired", "How many nodes should run the pod.", { type: "integer" }),
    column("Current", "How many of these nodes run it.", { type: "integer" }),
    column("Ready", "On how many nodes it is ready.", { type: "integer" }),
    column("Up-to-date", "On how many nodes it is made from the present template.", { type: "integer" }),
    column("Available", "On how many nodes it has been ready for long enough.", { type: "integer" }),
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
