/** Secret: type and number of keys. */
import type { Secret } from "@drover/api/core/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const secretPrinter: TablePrinter = printer<Secret>(
  [nameColumn, column("Type", "The type of the secret."), column("Data", "The number of keys."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, type = "", data = {} }, now) => [
    name,
    type,
    Object.keys(data).length,
    ageOf(creationTimestamp, now),
  ],
);
