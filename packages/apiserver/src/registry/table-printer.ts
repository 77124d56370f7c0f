/** How objects of a kind look as rows of a Table. */
import type { JsonObject, JsonValue, TableColumnDefinition, TableRowCondition } from "@drover/machinery";

export interface PrintedRow {
  /** One for each column. */
  readonly cells: JsonValue[];
  /** @default none */
  readonly conditions?: TableRowCondition[];
}

export interface TablePrinter {
  readonly columns: readonly TableColumnDefinition[];
  /** `now` is in milliseconds since 1970, for ages. */
  readonly row: (object: JsonObject, now: number) => PrintedRow;
  /** In which order the rows of a list stand. @default that of the list */
  readonly order?: (a: JsonObject, b: JsonObject) => number;
  /** How a list of nothing says so. @default "[]" */
  readonly noRows?: "[]" | "null";
  /** Whether every table of a watch has columns, and not the first alone. @default false */
  readonly repeatsColumns?: boolean;
}
