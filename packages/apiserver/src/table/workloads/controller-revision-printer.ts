/** ControllerRevision: controller and revision. */
import type { ControllerRevision } from "@drover/api/apps/v1";
import { controllerOf, groupVersionKindFrom } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const controllerRevisionPrinter: TablePrinter = printer<ControllerRevision>(
  [nameColumn, column("Controller", "The controller that owns the revision."), column("Revision", "The revision number."), ageColumn],
  (object, now) => {
    const {
      metadata: { name = "", creationTimestamp },
      revision,
    } = object;
    return [name, controllerText(object), revision, ageOf(creationTimestamp, now)];
  },
);

/** "statefulset.apps/web" */
function controllerText(object: ControllerRevision): string {
  const controller = controllerOf(object);
  if (controller === undefined) return "<none>";
  const { group, kind } = groupVersionKindFrom(controller.apiVersion, controller.kind);
  return `${(group === "" ? kind : `${kind}.${group}`).toLowerCase()}/${controller.name}`;
}
