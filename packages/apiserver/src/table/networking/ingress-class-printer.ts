/** IngressClass: controller and parameters. */
import type { IngressClass } from "@drover/api/networking/v1";
import { getOwn } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const ingressClassPrinter: TablePrinter = printer<IngressClass>(
  [
    nameColumn,
    column("Controller", "The controller of ingresses of this class."),
    column("Parameters", "Where more is said about the class."),
    ageColumn,
  ],
  ({ metadata: { name = "", annotations = {}, creationTimestamp }, spec }, now) => {
    const isDefault = getOwn(annotations, "ingressclass.kubernetes.io/is-default-class") === "true";
    return [
      isDefault ? `${name} (default)` : name,
      spec?.controller ?? "",
      parametersText(spec?.parameters),
      ageOf(creationTimestamp, now),
    ];
  },
);

/** "Settings.example.com/web" */
function parametersText(parameters: NonNullable<IngressClass["spec"]>["parameters"]): string {
  if (parameters === undefined) return "<none>";
  const { apiGroup, kind, name } = parameters;
  return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`;
}
