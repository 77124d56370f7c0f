/** PodTemplate: containers and labels. */
import type { PodTemplate } from "@drover/api/core/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { column, nameColumn } from "../columns.ts";
import { containerText } from "../container-text.ts";
import { labelText } from "../label-text.ts";
import { printer } from "../printer.ts";

export const podTemplatePrinter: TablePrinter = printer<PodTemplate>(
  [
    nameColumn,
    column("Containers", "The names of the containers in the template."),
    column("Images", "The images of the containers in the template."),
    column("Pod Labels", "The labels in the template."),
  ],
  ({ metadata: { name = "" }, template }) => [name, ...containerText(template), labelText(template?.metadata?.labels)],
);
