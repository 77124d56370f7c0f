/** IPAddress: the object that holds it. */
import type { IPAddress } from "@drover/api/networking/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

/** kube-apiserver adds an age to each row without a column for it. */
export const ipAddressPrinter: TablePrinter = printer<IPAddress>(
  [nameColumn, column("ParentRef", "The object that holds the address.")],
  ({ metadata: { name = "", creationTimestamp }, spec }, now) => [name, parentText(spec?.parentRef), ageOf(creationTimestamp, now)],
);

/** "services/default/web" */
function parentText(parent: NonNullable<IPAddress["spec"]>["parentRef"] | undefined): string {
  if (parent === undefined) return "<none>";
  const { group = "", resource, namespace = "", name } = parent;
  return [(group === "" ? resource : `${resource}.${group}`).toLowerCase(), ...(namespace === "" ? [] : [namespace]), name].join("/");
}
