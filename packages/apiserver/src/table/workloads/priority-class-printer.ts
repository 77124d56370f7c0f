/** PriorityClass: value and defaults. */
import type { PriorityClass } from "@drover/api/scheduling/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const priorityClassPrinter: TablePrinter = printer<PriorityClass>(
  [
    nameColumn,
    column("Value", "The priority of the pods.", { type: "integer" }),
    column("Global-Default", "Whether this class is the default.", { type: "boolean" }),
    ageColumn,
    column("PreemptionPolicy", "Whether the pods preempt others."),
  ],
  ({ metadata: { name = "", creationTimestamp }, value = 0, globalDefault = false, preemptionPolicy = "" }, now) => [
    name,
    value,
    globalDefault,
    ageOf(creationTimestamp, now),
    preemptionPolicy,
  ],
);
