/** Namespace: its phase. */
import type { Namespace } from "@drover/api/core/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const namespacePrinter: TablePrinter = printer<Namespace>(
  [nameColumn, column("Status", "The phase of the namespace."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, status }, now) => [name, status?.phase ?? "", ageOf(creationTimestamp, now)],
);
