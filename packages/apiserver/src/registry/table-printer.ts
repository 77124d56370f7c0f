/** Prints the objects of a kind as rows of a Table. */
import type { JsonObject, JsonValue, TableColumnDefinition, TableRowCondition } from "@drover/machinery";

export interface PrintedRow {
  /** One per column. */
  readonly cells: JsonValue[];
  /** @default no conditions */
  readonly conditions?: TableRowCondition[];
}

export interface TablePrinter {
  readonly columns: readonly TableColumnDefinition[];
  /** Prints a row; `now` is in milliseconds since 1970, for ages. */
  readonly row: (object: JsonObject, now: number) => PrintedRow;
  /** Returns `row` with the limits of one table, if the printer has some. @default `row` */
  readonly rows?: () => TablePrinter["row"];
  /** Order of the rows of a list. @default the order of the list */
  readonly order?: (a: JsonObject, b: JsonObject) => number;
  /** How an empty list prints its rows. @default "[]" */
  readonly noRows?: "[]" | "null";
  /** Whether every event of a watch repeats the columns. @default only the first */
  readonly repeatsColumns?: boolean;
}
