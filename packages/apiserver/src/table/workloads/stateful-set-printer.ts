/** StatefulSet: ready replicas. */
import type { StatefulSet } from "@drover/api/apps/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from "../columns.ts";
import { containerText } from "../container-text.ts";
import { printer } from "../printer.ts";

export const statefulSetPrinter: TablePrinter = printer<StatefulSet>(
  [nameColumn, column("Ready", "The number of ready pods out of the desired number."), ageColumn, containersColumn, imagesColumn],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
    name,
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ageOf(creationTimestamp, now),
    ...containerText(spec?.template),
  ],
);
