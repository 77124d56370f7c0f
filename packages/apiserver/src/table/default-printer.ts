/** The printer of kinds without one of their own: name and creation time. */
import type { KubeObject } from "@drover/machinery";
import type { TablePrinter } from "../registry/table-printer.ts";
import { creationColumn, nameColumn } from "./columns.ts";
import { printer } from "./printer.ts";

export const defaultPrinter: TablePrinter = {
  ...printer<KubeObject>([nameColumn, creationColumn], ({ metadata: { name = "", creationTimestamp } }) => [
    name,
    creationTimestamp ?? "0001-01-01T00:00:00Z",
  ]),
  noRows: "null",
};
