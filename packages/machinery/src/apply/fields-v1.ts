/** Decodes `fieldsV1` of a managed fields entry. Encoding is not needed: a field set is its FieldsV1. */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { emptyFieldSet, fieldNode } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { hasMembers } from "./has-members.ts";
import { compareElements, parseElement, PathElementError } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/**
 * Returns a FieldsV1 as a field set; the input itself if it is canonical. Leaves out elements of unknown types, as the server does.
 * Throws a `PathElementError` for what no server has written.
 */
export function decodeFieldSet(fields: unknown): FieldSet {
  const value = fields as JsonValue | undefined;
  if (value === undefined || value === null) return emptyFieldSet;
  const node = requireObject(value);
  if (node["."] === undefined && isFieldSet(node)) return node;
  return fieldNode(false, decodeChildren(node)) ?? emptyFieldSet;
}

/** Whether everything is in canonical form and order. */
function isFieldSet(node: JsonObject): node is JsonObject & FieldSet {
  const keys = Object.keys(node);
  const first = keys[0] === "." ? 1 : 0;
  if (first === 1 && (keys.length === 1 || !isEmptyObject(node["."]))) return false;
  let previous: PathElement | undefined;
  for (let position = first; position < keys.length; position++) {
    const key = keys[position] ?? "";
    const child = node[key];
    if (
      key === "." ||
      parseElement(key) !== key ||
      !isJsonObject(child) ||
      (previous !== undefined && compareElements(previous, key) >= 0) ||
      !isFieldSet(child)
    )
      return false;
    previous = key;
  }
  return true;
}

function decodeChildren(node: JsonObject): Record<PathElement, FieldSet> {
  const children: Record<PathElement, FieldSet> = {};
  for (const [key, value] of Object.entries(node)) {
    const element = key === "." ? undefined : parseElement(key);
    if (element === undefined) continue;
    const child: JsonObject = value === null ? {} : requireObject(value);
    const below = decodeChildren(child);
    // A node with only elements of unknown types counts as a member.
    children[element] = fieldNode(child["."] !== undefined, below) ?? emptyFieldSet;
  }
  return children;
}

function requireObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new PathElementError("a node of fieldsV1 must be an object");
  return value;
}

const isEmptyObject = (value: JsonValue | undefined): boolean => isJsonObject(value) && !hasMembers(value);
