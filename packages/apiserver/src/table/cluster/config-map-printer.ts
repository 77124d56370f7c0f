/** ConfigMap: number of keys. */
import type { ConfigMap } from "@drover/api/core/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const configMapPrinter: TablePrinter = printer<ConfigMap>(
  [nameColumn, column("Data", "The number of keys."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, data = {}, binaryData = {} }, now) => [
    name,
    Object.keys(data).length + Object.keys(binaryData).length,
    ageOf(creationTimestamp, now),
  ],
);
