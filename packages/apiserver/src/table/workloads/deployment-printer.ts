/** Deployment: ready, updated and available replicas. */
import type { Deployment } from "@drover/api/apps/v1";
import { SelectorError, selectorFromLabelSelector } from "@drover/machinery";
import type { LabelSelector } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from "../columns.ts";
import { containerText } from "../container-text.ts";
import { printer } from "../printer.ts";

export const deploymentPrinter: TablePrinter = printer<Deployment>(
  [
    nameColumn,
    column("Ready", "The number of ready pods out of the desired number."),
    column("Up-to-date", "The number of pods of the current template."),
    column("Available", "The number of available pods."),
    ageColumn,
    containersColumn,
    imagesColumn,
    column("Selector", "The labels by which pods are found.", { priority: 1 }),
  ],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
    name,
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    ageOf(creationTimestamp, now),
    ...containerText(spec?.template),
    selectorText(spec?.selector),
  ],
);

/** Prints an empty or invalid selector differently from the other workloads, as kube-apiserver does. */
function selectorText(selector: LabelSelector | undefined): string {
  try {
    return selectorFromLabelSelector(selector).toString();
  } catch (error) {
    if (error instanceof SelectorError) return "<invalid>";
    throw error;
  }
}
