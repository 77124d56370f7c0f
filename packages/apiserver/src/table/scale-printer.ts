/** The printer of Scale. Custom resources have other column names for the same cells. */
import type { Scale } from "@drover/api/autoscaling/v1";
import type { JsonValue } from "@drover/machinery";
import type { TablePrinter } from "../registry/table-printer.ts";
import { ageOf } from "./age.ts";
import { ageColumn, column, nameColumn } from "./columns.ts";
import { printer } from "./printer.ts";

const desired = column("Desired", "The desired number of replicas.", { type: "integer" });
const available = column("Available", "The current number of replicas.", { type: "integer" });

export const scalePrinter: TablePrinter = printer<Scale>([{ ...nameColumn, format: "" }, desired, available, ageColumn], cellsOf);

export const customScalePrinter: TablePrinter = printer<Scale>([nameColumn, desired, available, { ...ageColumn, type: "date" }], cellsOf);

function cellsOf({ metadata: { name = "", creationTimestamp }, spec, status }: Scale, now: number): JsonValue[] {
  return [name, spec?.replicas ?? 0, status?.replicas ?? 0, ageOf(creationTimestamp, now)];
}
