/**
 * What a schema says about patching a field: whether its list is merged, by which key, and whether keys must be retained.
 *
 * Throws for a field unknown to the schema, as the server does, which asks only when object and patch both hold an object or both
 * hold a list there.
 */
import { quoteGo } from "../go/go-quote.ts";
import { getOwn } from "../json/own.ts";
import type { Schema } from "../schema/schema.ts";
import { MergePatchError } from "./merge-patch-error.ts";

/** How to patch one field. */
export interface PatchField {
  /** Schema of the field's value, or of the items of a list. */
  readonly schema: Schema;
  /** "merge", "replace" or empty, which merges objects and replaces lists. */
  readonly strategy: string;
  readonly retainKeys: boolean;
  /** Empty for lists of scalars and for lists that are not merged. */
  readonly mergeKey: string;
}

/** Returns how to patch a field that holds an object. */
export function objectField(schema: Schema, name: string): PatchField {
  const kind = goKind(schema);
  if (kind !== "struct")
    throw new MergePatchError("inapplicable", `merging an object in json but data type is not struct, instead is: ${kind}`);
  const field = findProperty(schema.properties ?? {}, name);
  if (field === undefined) {
    throw new MergePatchError(
      "inapplicable",
      `unable to find api field in struct ${schema.title ?? ""} for the json field ${quoteGo(name)}`,
    );
  }
  return {
    schema: field,
    mergeKey: field["x-kubernetes-patch-merge-key"] ?? "",
    ...readStrategy(field["x-kubernetes-patch-strategy"] ?? ""),
  };
}

/** Returns how to patch a field that holds a list. */
export function listField(schema: Schema, name: string): PatchField {
  const field = objectField(schema, name);
  if (field.schema.type !== "array") throw new MergePatchError("inapplicable", "expected slice or array type, but got: struct");
  const items = field.schema.items ?? {};
  if (items.type === "array") throw new MergePatchError("inapplicable", "unexpected slice of slice");
  return { ...field, schema: items };
}

/** Returns the kind of Go type of a schema, for messages. */
export function goKind(schema: Schema): string {
  if (schema.properties === undefined && schema.additionalProperties !== undefined && schema.additionalProperties !== false) return "map";
  switch (schema.type) {
    case "array":
      return "slice";
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "integer":
      return schema.format ?? "int64";
    case "number":
      return "float64";
    case undefined:
    default:
      return "struct";
  }
}

// As in Go's decoder: the exact name first, then one that differs only in case.
function findProperty(properties: Readonly<Record<string, Schema>>, name: string): Schema | undefined {
  const exact = getOwn(properties, name);
  if (exact !== undefined) return exact;
  const folded = name.toLowerCase();
  const similar = Object.keys(properties).find((property) => property.toLowerCase() === folded);
  return similar === undefined ? undefined : properties[similar];
}

function readStrategy(text: string): { readonly strategy: string; readonly retainKeys: boolean } {
  if (text === "" || text === "merge") return { strategy: text, retainKeys: false };
  const words = text.split(",");
  const others = words.filter((word) => word !== "retainKeys");
  if (words.length > 2 || others.length > 1) throw new MergePatchError("inapplicable", `unexpected patch strategy: [${words.join(" ")}]`);
  return { strategy: others[0] ?? "", retainKeys: others.length < words.length };
}
