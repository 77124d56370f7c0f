/** The keywords x-kubernetes-list-type, x-kubernetes-list-map-keys and x-kubernetes-map-type: where they are allowed. */
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field/field-error.ts";
import { fieldChild, fieldKey, type FieldPath } from "../field/field-path.ts";
import { printGoJson } from "../json/go-json.ts";
import { getOwn } from "../json/own.ts";
import type { UncheckedSchema } from "./schema.ts";
import { printInternalItems } from "./schema-keywords.ts";
import { itemsOf } from "./structure-rules.ts";

interface Place {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

/** Checks the map type of a schema. */
export function checkMapType(schema: UncheckedSchema, { path, errors }: Place): void {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return;
  if (schema.type !== "object") errors.push(wrongType(schema, path, "must be object if x-kubernetes-map-type is specified"));
  if (mapType !== "atomic" && mapType !== "granular")
    errors.push(fieldNotSupported(fieldChild(path, "x-kubernetes-map-type"), mapType, ["atomic", "granular"]));
}

/** Checks the list type and keys of a schema. */
export function checkListType(schema: UncheckedSchema, place: Place): void {
  const { path, errors } = place;
  const listType = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const listTypePath = fieldChild(path, "x-kubernetes-list-type");
  if (listType !== undefined && schema.type !== "array")
    errors.push(wrongType(schema, path, "must be array if x-kubernetes-list-type is specified"));
  else if (listType === "set") checkSetItems(schema, place);
  if (listType !== undefined && !["atomic", "set", "map"].includes(listType))
    errors.push(fieldNotSupported(listTypePath, listType, ["atomic", "set", "map"]));
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? fieldRequired(listTypePath, detail) : fieldInvalid(listTypePath, listType, detail));
  }
  if (listType === "map") checkMapItems(schema, keys, place);
  if (listType === "map" || listType === "set") checkNullability(schema, { ...place, listType, keys });
}

function wrongType(schema: UncheckedSchema, path: FieldPath, detail: string): FieldError {
  const typePath = fieldChild(path, "type");
  return schema.type ? fieldInvalid(typePath, schema.type, detail) : fieldRequired(typePath, detail);
}

function checkSetItems(schema: UncheckedSchema, { path, errors }: Place): void {
  const items = itemsOf(schema);
  const itemsPath = fieldChild(path, "items");
  const listType = items?.["x-kubernetes-list-type"];
  const notAtomic = (keyword: string): unknown =>
    errors.push({
      ...fieldInvalid(fieldChild(itemsPath, keyword), listType ?? null, "must be atomic as item of a list with x-kubernetes-list-type=set"),
      valueText: printGoJson(listType ?? null),
    });
  if (items?.type === "array" && listType !== undefined && listType !== "atomic") notAtomic("x-kubernetes-list-type");
  // The server names the list type here too, which an object hardly has.
  if (items?.type === "object" && items["x-kubernetes-map-type"] !== "atomic") notAtomic("x-kubernetes-map-type");
}

function checkMapItems(schema: UncheckedSchema, keys: readonly string[], { path, errors }: Place): void {
  const itemsPath = fieldChild(path, "items");
  const keysPath = fieldChild(path, "x-kubernetes-list-map-keys");
  const items = itemsOf(schema);
  if (keys.length === 0) errors.push(fieldRequired(keysPath, "must not be empty if x-kubernetes-list-type is map"));
  if (schema.items === undefined) errors.push(fieldRequired(itemsPath, "must have a schema if x-kubernetes-list-type is map"));
  else if (items === undefined) {
    errors.push({
      ...fieldInvalid(itemsPath, schema.items, "must only have a single schema if x-kubernetes-list-type is map"),
      valueText: printInternalItems(schema.items),
    });
  }
  if (items === undefined) return;
  if (items.type !== "object") {
    errors.push(
      fieldInvalid(fieldChild(itemsPath, "type"), items.type ?? "", "must be object if parent array's x-kubernetes-list-type is map"),
    );
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = getOwn(items.properties ?? {}, key);
    if (property === undefined) errors.push(fieldInvalid(keysPath, keys, "entries must all be names of item properties"));
    else if (property.type === "array" || property.type === "object") {
      errors.push(
        fieldInvalid(
          fieldChild(fieldKey(fieldChild(itemsPath, "properties"), key), "type"),
          items.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    }
    if (seen.has(key)) errors.push(fieldInvalid(keysPath, keys, "must not contain duplicate entries"));
    seen.add(key);
  }
}

/** Items of sets and maps must not be nullable, nor keys of maps. */
function checkNullability(
  schema: UncheckedSchema,
  { path, errors, listType, keys }: Place & { readonly listType: "set" | "map"; readonly keys: readonly string[] },
): void {
  const items = itemsOf(schema);
  if (items === undefined) return;
  const itemsPath = fieldChild(path, "items");
  if (items.nullable === true)
    errors.push(fieldForbidden(fieldChild(itemsPath, "nullable"), `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  if (listType === "set") return;
  for (const key of keys) {
    const property = getOwn(items.properties ?? {}, key);
    if (property === undefined) continue;
    const keyPath = fieldKey(fieldChild(itemsPath, "properties"), key);
    if (items.required?.includes(key) !== true && (property.default ?? null) === null) {
      errors.push(
        fieldRequired(
          fieldChild(keyPath, "default"),
          "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
        ),
      );
    }
    if (property.nullable === true)
      errors.push(
        fieldForbidden(fieldChild(keyPath, "nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"),
      );
  }
}
