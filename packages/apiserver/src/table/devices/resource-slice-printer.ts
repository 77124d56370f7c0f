/** ResourceSlice: node, driver and pool. */
import type { ResourceSlice } from "@drover/api/resource/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const resourceSlicePrinter: TablePrinter = printer<ResourceSlice>(
  [
    nameColumn,
    column("Node", "The node that has the devices."),
    column("Driver", "The driver of the devices."),
    column("Pool", "The pool they belong to."),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [
    name,
    spec.nodeName ?? "",
    spec.driver,
    spec.pool.name,
    ageOf(creationTimestamp, now),
  ],
);
