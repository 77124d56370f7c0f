/** RuntimeClass: its handler. */
import type { RuntimeClass } from "@drover/api/node/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const runtimeClassPrinter: TablePrinter = printer<RuntimeClass>(
  [nameColumn, column("Handler", "The handler that runs the pods."), ageColumn],
  ({ metadata: { name = "", creationTimestamp }, handler }, now) => [name, handler, ageOf(creationTimestamp, now)],
);
