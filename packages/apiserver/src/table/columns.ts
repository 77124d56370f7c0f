/** Table columns. Names, types and order are those of kube-apiserver; descriptions are ours. */
import type { TableColumnDefinition } from "@drover/machinery";

export interface ColumnOptions {
  /** OpenAPI type. @default "string" */
  readonly type?: string;
  /** @default "" */
  readonly format?: string;
  /** 1 shows the column only in wide output. @default 0 */
  readonly priority?: number;
}

export const column = (
  name: string,
  description: string,
  { type = "string", format = "", priority = 0 }: ColumnOptions = {},
): TableColumnDefinition => ({ name, type, format, description, priority });

export const nameColumn: TableColumnDefinition = column("Name", "The name of the object.", { format: "name" });
export const ageColumn: TableColumnDefinition = column("Age", "The time since the object was created.");
export const creationColumn: TableColumnDefinition = column("Created At", "When the object was created.", { type: "date" });
export const containersColumn: TableColumnDefinition = column("Containers", "The names of the containers in the template.", {
  priority: 1,
});
export const imagesColumn: TableColumnDefinition = column("Images", "The images of the containers in the template.", { priority: 1 });
