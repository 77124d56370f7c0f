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
}
