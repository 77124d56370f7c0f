/** `Table`: a list as kubectl prints it, with columns chosen by the server. Requested with {@link tableAccept}. */
import { fieldInvalid } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import { printGoJson } from "../json/go-json.ts";
import type { ListMeta, TypeMeta } from "../object/object.ts";
import type { JsonValue } from "../json/json-value.ts";
import type { Query } from "./query.ts";

/** Accept header of kubectl; a server without tables responds with the objects. */
export const tableAccept: string =
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

export interface TableColumnDefinition {
  name: string;
  /** OpenAPI type: "string", "integer", "boolean", "number", "date". */
  type: string;
  /** "name" marks the column that identifies the row. */
  format: string;
  description: string;
  /** 0 is always shown; higher ones only with `-o wide`. */
  priority: number;
}

export interface TableRowCondition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason?: string;
  message?: string;
}

export interface TableRow<T = unknown> {
  cells: JsonValue[];
  conditions?: TableRowCondition[];
  /** The metadata, the whole object or null, as `includeObject` requests. */
  object?: T | null;
}

export interface Table<T = unknown> extends TypeMeta {
  metadata: ListMeta;
  /** On a watch only the first table has them; later ones have null. */
  columnDefinitions: TableColumnDefinition[] | null;
  rows: TableRow<T>[] | null;
}

/** What each row contains besides its cells. */
export type IncludeObject = "Metadata" | "Object" | "None";

/** Returns the requested content of rows. Does not validate. */
export function parseIncludeObject(query: Query): IncludeObject {
  return (query.get("includeObject")?.[0] || "Metadata") as IncludeObject;
}

/** Returns its errors. The server responds with 400 and a sentence. */
export function validateIncludeObject(includeObject: string): FieldError[] {
  if (["Metadata", "Object", "None", ""].includes(includeObject)) return [];
  return [
    {
      ...fieldInvalid("includeObject", includeObject, "must be 'Metadata', 'Object', 'None', or empty"),
      valueText: printGoJson(includeObject),
    },
  ];
}
