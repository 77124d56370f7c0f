/** Tables: objects as rows. */
import { newBadRequest, printFieldErrors, validateIncludeObject } from "@drover/machinery";
import type { IncludeObject, JsonObject, ListMeta, TableRow } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import { jsonOf } from "../typed-object.ts";
import { partialMetadata } from "./partial-metadata.ts";

export interface TableOptions {
  /** Version of meta.k8s.io. */
  readonly version: string;
  readonly includeObject: IncludeObject;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether to include the column definitions; in a watch only the first Table has them. @default true */
  readonly hasHeaders?: boolean;
}

export function tableOf(
  { table }: Pick<Resource, "table">,
  objects: readonly JsonObject[],
  metadata: ListMeta,
  options: TableOptions,
): JsonObject {
  const { version, includeObject, now, hasHeaders = true } = options;
  const print = table.rows?.() ?? table.row;
  const rows = (table.order === undefined ? objects : objects.toSorted(table.order)).map((object): TableRow => {
    const { cells, conditions } = print(object, now);
    return { cells, ...(conditions === undefined ? {} : { conditions }), object: included(object, includeObject, version) };
  });
  const columnDefinitions = hasHeaders || table.repeatsColumns === true ? table.columns : null;
  const isNull = rows.length === 0 && table.noRows === "null";
  return jsonOf({ kind: "Table", apiVersion: `meta.k8s.io/${version}`, metadata, columnDefinitions, rows: isNull ? null : rows });
}

function included(object: JsonObject, includeObject: IncludeObject, version: string): JsonObject | null {
  if (includeObject === "None") return null;
  return includeObject === "Object" ? object : partialMetadata(object, version);
}

/** Throws a 400. Runs after the request was served, as in kube-apiserver, so a write has already happened. */
export function checkIncludeObject(includeObject: string): void {
  const errors = validateIncludeObject(includeObject);
  if (errors.length > 0) throw new StatusError(newBadRequest(`Unable to convert to Table as requested: ${printFieldErrors(errors)}`));
}
