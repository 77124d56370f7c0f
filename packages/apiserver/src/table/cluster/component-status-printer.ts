/** ComponentStatus: health of the control plane's components. */
import type { ComponentStatus } from "@drover/api/core/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const componentStatusPrinter: TablePrinter = printer<ComponentStatus>(
  [
    nameColumn,
    column("Status", "Whether the component is healthy."),
    column("Message", "The component's message."),
    column("Error", "The error of the health check."),
  ],
  ({ metadata: { name = "" }, conditions }) => {
    const healthy = conditions?.find(({ type }) => type === "Healthy");
    const state = healthy === undefined ? "Unknown" : healthy.status === "True" ? "Healthy" : "Unhealthy";
    return [name, state, healthy?.message ?? "", healthy?.error ?? ""];
  },
);
