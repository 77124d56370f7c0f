/** Table rows of custom resources: the name and the additional printer columns. */
import type { CustomResourceColumnDefinition } from "@drover/api/apiextensions/v1";
import {
  Allowance,
  BudgetExceededError,
  budget,
  formatGoFloat,
  humanDuration,
  isBudgetExceededError,
  isJsonObject,
  parseTime,
  printGoJson,
  valueSize,
} from "@drover/machinery";
import type { JsonObject, JsonValue, TableColumnDefinition } from "@drover/machinery";
import type { TablePrinter } from "../registry/table-printer.ts";
import { ageColumn, nameColumn } from "../table/columns.ts";
import { pathSteps } from "./jsonpath/find-json-path.ts";
import { firstValueAt } from "./jsonpath/first-value.ts";
import type { FirstValue, OnExceeded } from "./jsonpath/first-value.ts";

const ageByPath: CustomResourceColumnDefinition = {
  name: ageColumn.name,
  type: "date",
  description: ageColumn.description,
  jsonPath: ".metadata.creationTimestamp",
};

const cellBytes = budget({
  name: "apiserver/table-cell",
  limit: 64 * 2 ** 10,
  unit: "bytes",
  atLimit: "The cell of a custom resource is empty.",
});
const tableBytes = budget({
  name: "apiserver/table",
  limit: 16 * 2 ** 20,
  unit: "bytes",
  atLimit: "Further cells of custom resources in this table are empty.",
});
const tableSteps = budget({
  name: "apiserver/table-json-path",
  limit: 4_000_000,
  unit: "steps",
  atLimit: "Further cells of custom resources in this table are empty.",
});

/** In memory, a value takes several times its JSON text; more need not be printed to know that the text is too long. */
const printedMax = 8 * cellBytes.limit;

/** What one table may still spend. */
interface Spending {
  readonly bytes: Allowance;
  readonly steps: Allowance;
}

interface Column {
  readonly definition: TableColumnDefinition;
  readonly valueOf: FirstValue;
}

/** Returns the printer for these columns; by default the only column is the age. */
export function customTable(
  columns: readonly CustomResourceColumnDefinition[] | undefined,
  onExceeded: OnExceeded = () => undefined,
): TablePrinter {
  const own = readColumns(columns === undefined || columns.length === 0 ? [ageByPath] : columns, onExceeded);
  const rows = (): TablePrinter["row"] => {
    const left: Spending = { bytes: new Allowance(tableBytes), steps: new Allowance(tableSteps) };
    return (object, now) => ({ cells: [nameOf(object), ...own.map((column) => boundedCell(object, column, now, left, onExceeded))] });
  };
  return {
    columns: [nameColumn, ...own.map(({ definition }) => definition)],
    rows,
    row: (object, now) => rows()(object, now),
  };
}

/** A column with an invalid path ends the table, as in kube-apiserver. */
function readColumns(definitions: readonly CustomResourceColumnDefinition[], onExceeded: OnExceeded): Column[] {
  const columns: Column[] = [];
  for (const { name, type, format = "", description = "", jsonPath, priority = 0 } of definitions) {
    const valueOf = firstValueAt(jsonPath, onExceeded);
    if (valueOf === undefined) break;
    columns.push({
      valueOf,
      definition: {
        name,
        type,
        format,
        description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
        priority,
      },
    });
  }
  return columns;
}

function nameOf({ metadata }: JsonObject): JsonValue {
  return isJsonObject(metadata) ? (metadata["name"] ?? "") : "";
}

/** A cell that exceeds a budget is null, as kube-apiserver prints a column whose path fails. */
function boundedCell(object: JsonObject, column: Column, now: number, left: Spending, onExceeded: OnExceeded): JsonValue {
  const steps = new Allowance(pathSteps, Math.min(pathSteps.limit, left.steps.left));
  const before = steps.left;
  const value = column.valueOf(object, steps);
  left.steps.spend(before - steps.left);
  if (value === undefined) return null;
  try {
    if (typeof value === "object" && valueSize(value, printedMax) > printedMax) throw new BudgetExceededError(cellBytes);
    const cell = cellOf(value, column.definition, now);
    if (typeof cell === "string") {
      if (cell.length > cellBytes.limit) throw new BudgetExceededError(cellBytes);
      left.bytes.spend(cell.length);
    }
    return cell;
  } catch (error) {
    if (!isBudgetExceededError(error)) throw error;
    onExceeded(error.budget);
    return null;
  }
}

/** Returns null for a value of another type. */
function cellOf(value: JsonValue, { type }: TableColumnDefinition, now: number): JsonValue {
  switch (type) {
    case "string":
      return printPlain(value);
    case "integer":
      return typeof value === "bigint" ? value : typeof value === "number" ? wholePart(value) : null;
    case "number":
      return typeof value === "bigint" ? Number(value) : typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? printAge(value, now) : null;
    default:
      return null;
  }
}

/** Prints a value as Go's `fmt.Sprint` does; objects and lists as JSON. */
export function printPlain(value: JsonValue): string {
  if (value === null) return "<no value>";
  if (typeof value === "object") return printGoJson(value);
  return typeof value !== "number" || Number.isSafeInteger(value) ? String(value) : formatGoFloat(value);
}

/** Out-of-range numbers become the minimum of int64, as Go's conversion does on amd64. */
function wholePart(value: number): number | bigint {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) + 0 : -(2n ** 63n);
}

function printAge(time: string, now: number): string {
  if (time === "" || time === "null") return "<unknown>";
  try {
    return humanDuration(now - parseTime(time));
  } catch {
    return "<invalid>";
  }
}
