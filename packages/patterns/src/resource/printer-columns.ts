/** Columns of `kubectl get`, from paths into the schema. */
import type { CustomResourceColumnDefinition } from "@drover/api/apiextensions/v1";
import { definedOnly, getOwn } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import type { ColumnDefinition } from "./resource.ts";

/** Returns the columns. Throws for a path that is not in the schema. Adds the age as last column unless there is one. */
export function printerColumns(
  columns: Readonly<Record<string, string | ColumnDefinition>>,
  schema: Schema,
): CustomResourceColumnDefinition[] {
  const written = Object.entries(columns).map(([name, column]) =>
    printerColumn(name, typeof column === "string" ? { path: column } : column, schema),
  );
  return Object.hasOwn(columns, "Age") ? written : [...written, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }];
}

function printerColumn(
  name: string,
  { path, type, description, priority }: ColumnDefinition,
  schema: Schema,
): CustomResourceColumnDefinition {
  return {
    name,
    type: type ?? columnType(name, path, schema),
    jsonPath: path,
    ...definedOnly({ description, priority }),
  };
}

/** Looks up only plain paths (".a.b"); filters and wildcards can select anything and are strings unless the author sets a type. */
function columnType(name: string, path: string, schema: Schema): string {
  if (!path.startsWith(".")) throw new TypeError(`column ${name}: a path starts with a dot: ".spec.host", not "${path}"`);
  const words = path.slice(1).split(".");
  if (words.some((word) => !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(word)) || words[0] === "metadata")
    return path === ".metadata.creationTimestamp" ? "date" : "string";
  let at: Schema | undefined = schema;
  for (const [index, word] of words.entries()) {
    const next: Schema | undefined = at.properties === undefined ? undefined : getOwn(at.properties, word);
    if (next === undefined) {
      if (at["x-kubernetes-preserve-unknown-fields"] === true || at.additionalProperties !== undefined) return "string";
      throw new TypeError(
        `column ${name}: .${words.slice(0, index + 1).join(".")} is not in the schema, which has ${Object.keys(at.properties ?? {}).join(", ") || "no fields"}`,
      );
    }
    at = next;
  }
  if (at.format === "date-time") return "date";
  return at.type === "integer" || at.type === "number" || at.type === "boolean" ? at.type : "string";
}
