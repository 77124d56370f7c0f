/**
 * Objects as `kubectl get` prints them: the server chooses the columns and fills the cells, also for unknown kinds.
 *
 *     Kind, a row of discovery → TableClient → exchange (Accept: as=Table) → Table
 */
import { asPartialObjectMetadata, encodeGetOptions, encodeQuery, isList, tableAccept } from "@drover/machinery";
import type { IncludeObject, KubeList, KubeObject, Scope, Table, TableColumnDefinition, TableRow } from "@drover/machinery";
import type { InNamespace, ListPageOptions, NamespaceOption, ReadOptions } from "./call-options.ts";
import { exchange } from "./exchange.ts";
import type { ClientOptions } from "./client-options.ts";
import { listQuery } from "./option-query.ts";
import { placeOf, placeOfOne } from "./resource-target.ts";
import type { Place, ResourceTarget } from "./resource-target.ts";

/** What rows contain besides the cells. */
export interface TableOptions {
  /** Content of each row's `object`: the metadata, the whole object, or nothing. @default "Metadata" */
  readonly includeObject?: IncludeObject;
}

/** A table with columns and rows. A cell belongs to the column of the same index. */
export interface ResourceTable extends Table<KubeObject> {
  columnDefinitions: TableColumnDefinition[];
  rows: TableRow<KubeObject>[];
}

/** The two verbs with tables. Columns of priority 0 are always shown, others with `-o wide`. */
export interface TableClient<S extends Scope> {
  /** Returns a table of one row. */
  get(name: string, options?: ReadOptions & TableOptions & InNamespace<S>): Promise<ResourceTable>;
  /** Returns one page; `metadata.continue` is set if there are more. */
  list(options?: ListPageOptions & TableOptions & InNamespace<S>): Promise<ResourceTable>;
}

/** Returns the table client of one resource. If a server cannot make tables, the client makes one with names and ages. */
export function tableClient<S extends Scope>(core: ClientOptions, target: ResourceTarget): TableClient<S> {
  const ask = async (place: Place, query: string, { includeObject, ...options }: ReadOptions & TableOptions): Promise<ResourceTable> => {
    const asked = [query, includeObject === undefined ? "" : encodeQuery([["includeObject", includeObject]])]
      .filter((part) => part !== "")
      .join("&");
    return asTable(
      await exchange<Table<KubeObject> | KubeObject | KubeList>(core, { method: "GET", place, query: asked, accept: tableAccept }, options),
      includeObject,
    );
  };
  const client: TableClient<"Namespaced"> = {
    get: async (name, options: ReadOptions & TableOptions & NamespaceOption = {}) =>
      ask(placeOfOne("get", target, { namespace: options.namespace, name }, core.namespace), encodeGetOptions(options), options),
    list: async (options: ListPageOptions & TableOptions & NamespaceOption = {}) =>
      ask(placeOf("list", target, { namespace: options.namespace }, core.namespace), listQuery(options), options),
  };
  // A namespace for a cluster-scoped resource is rejected at run time, whatever the types allow.
  return client as TableClient<S>;
}

const plainColumns: readonly TableColumnDefinition[] = [
  { name: "Name", type: "string", format: "name", description: "Name must be unique within a namespace.", priority: 0 },
  { name: "Created At", type: "date", format: "", description: "When the object was made.", priority: 0 },
];

function asTable(answer: Table<KubeObject> | KubeObject | KubeList, includeObject: IncludeObject = "Metadata"): ResourceTable {
  if (isTable(answer)) return { ...answer, columnDefinitions: answer.columnDefinitions ?? [], rows: answer.rows ?? [] };
  const objects: readonly KubeObject[] = isList(answer) ? answer.items : [answer];
  const rows = objects.map((object): TableRow<KubeObject> => {
    const { name = "", creationTimestamp = null } = object.metadata;
    return {
      cells: [name, creationTimestamp],
      ...(includeObject === "None" ? {} : { object: includeObject === "Object" ? object : asPartialObjectMetadata(object) }),
    };
  });
  return {
    apiVersion: "meta.k8s.io/v1",
    kind: "Table",
    metadata: isList(answer) ? answer.metadata : {},
    columnDefinitions: [...plainColumns],
    rows,
  };
}

const isTable = (answer: Table<KubeObject> | KubeObject | KubeList): answer is Table<KubeObject> =>
  answer.kind === "Table" && (answer.apiVersion ?? "").startsWith("meta.k8s.io/");
