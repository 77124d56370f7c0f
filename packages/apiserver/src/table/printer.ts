/** A typed printer. Assumes objects that the codec of their kind has read. */
import type { JsonValue, TableColumnDefinition } from "@drover/machinery";
import type { TablePrinter } from "../registry/table-printer.ts";

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type of the printed object
export function printer<T>(columns: readonly TableColumnDefinition[], cellsOf: (object: T, now: number) => JsonValue[]): TablePrinter {
  return { columns, row: (object, now) => ({ cells: cellsOf(object as unknown as T, now) }) };
}
