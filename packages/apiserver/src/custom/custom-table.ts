/** Table rows of custom resources: the name and the additional printer columns. */
import type { CustomResourceColumnDefinition } from "@drover/api/apiextensions/v1";
import { formatGoFloat, humanDuration, isJsonObject, parseTime, printGoJson } from "@drover/machinery";
import type { JsonObject, JsonValue, TableColumnDefinition } from "@drover/machinery";
import type { TablePrinter } from "../registry/table-printer.ts";
import { ageColumn, nameColumn } from "../table/columns.ts";
import { firstValueAt } from "./jsonpath/first-value.ts";
import type { FirstValue } from "./jsonpath/first-value.ts";

const ageByPath: CustomResourceColumnDefinition = {
  name: ageColumn.name,
  type: "date",
  description: ageColumn.description,
  jsonPath: ".metadata.creationTimestamp",
};

interface Column {
  readonly definition: TableColumnDefinition;
  readonly valueOf: FirstValue;
}

/** Returns the printer for these columns; by default the only column is the age. */
export function customTable(columns: readonly CustomResourceColumnDefinition[] | undefined): TablePrinter {
  const own = readColumns(columns === undefined || columns.length === 0 ? [ageByPath] : columns);
  return {
    columns: [nameColumn, ...own.map(({ definition }) => definition)],
    row: (object, now) => ({ cells: [nameOf(object), ...own.map((column) => cellOf(object, column, now))] }),
  };
}

/** A column with an invalid path ends the table, as in kube-apiserver. */
function readColumns(definitions: readonly CustomResourceColumnDefinition[]): Column[] {
  const columns: Column[] = [];
  for (const { name, type, format = "", description = "", jsonPath, priority = 0 } of definitions) {
    const valueOf = firstValueAt(jsonPath);
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

/** Prints the first value of the path; null if it is absent or has another type. */
function cellOf(object: JsonObject, { valueOf, definition: { type } }: Column, now: number): JsonValue {
  const value = valueOf(object);
  if (value === undefined) return null;
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
