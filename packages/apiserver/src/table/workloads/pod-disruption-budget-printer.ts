/** PodDisruptionBudget: limits and allowed disruptions. */
import type { PodDisruptionBudget } from "@drover/api/policy/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const podDisruptionBudgetPrinter: TablePrinter = printer<PodDisruptionBudget>(
  [
    nameColumn,
    column("Min Available", "The minimum number of available pods."),
    column("Max Unavailable", "The maximum number of unavailable pods."),
    column("Allowed Disruptions", "The number of disruptions allowed now.", { type: "integer" }),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
    name,
    String(spec?.minAvailable ?? "N/A"),
    String(spec?.maxUnavailable ?? "N/A"),
    status?.disruptionsAllowed ?? 0,
    ageOf(creationTimestamp, now),
  ],
);
