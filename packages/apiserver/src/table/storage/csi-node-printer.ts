/** CSINode: number of drivers. */
import type { CSINode } from "@drover/api/storage/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const csiNodePrinter: TablePrinter = printer<CSINode>(
  [nameColumn, column("Drivers", "The number of drivers on the node.", { type: "integer" }), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [name, (spec.drivers ?? []).length, ageOf(creationTimestamp, now)],
);
