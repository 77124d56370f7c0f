/** APIService: which service serves a group version. */
import type { APIService, APIServiceCondition } from "@drover/api/apiregistration/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const apiServicePrinter: TablePrinter = {
  ...printer<APIService>(
    [
      nameColumn,
      column("Service", "The service that serves the group."),
      column("Available", "Whether the service is available."),
      ageColumn,
    ],
    ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => {
      const service = spec?.service === undefined ? "Local" : `${spec.service.namespace ?? ""}/${spec.service.name ?? ""}`;
      return [name, service, availability(status?.conditions?.find(({ type }) => type === "Available")), ageOf(creationTimestamp, now)];
    },
  ),
  repeatsColumns: true,
};

/** "False (MissingEndpoints)" */
function availability(condition: APIServiceCondition | undefined): string {
  if (condition === undefined) return "Unknown";
  const { status, reason = "" } = condition;
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}
