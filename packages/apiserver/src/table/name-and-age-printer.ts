/** The printer of kinds whose only column is the age. */
import type { KubeObject } from "@drover/machinery";
import type { TablePrinter } from "../registry/table-printer.ts";
import { ageOf } from "./age.ts";
import { ageColumn, nameColumn } from "./columns.ts";
import { printer } from "./printer.ts";

export const nameAndAgePrinter: TablePrinter = printer<KubeObject>(
  [nameColumn, ageColumn],
  ({ metadata: { name = "", creationTimestamp } }, now) => [name, ageOf(creationTimestamp, now)],
);
