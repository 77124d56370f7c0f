/** Kinds that nobody has thought of a table for: a name and a date. */
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
