/** Evaluates a JSONPath. A missing field yields nothing; a path that does not fit the value is an error. */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { compareScalars } from "./compare-scalars.ts";
import { JsonPathError } from "./json-path.ts";
import type { ItemsStep, JsonPath, JsonPathStep } from "./json-path.ts";

/**
 * Returns all values of the path, in order. Throws a {@link JsonPathError} when an index is out of bounds or applied to something
 * other than a list.
 */
export function findJsonPath(path: JsonPath, object: JsonObject): JsonValue[] {
  return walk([object], path);
}

function walk(values: JsonValue[], path: JsonPath): JsonValue[] {
  let found = values;
  for (const step of path) found = take(found, step);
  return found;
}

function take(values: JsonValue[], step: JsonPathStep): JsonValue[] {
  switch (step.kind) {
    case "field":
      return values.flatMap((value) => fieldOf(value, step.name));
    case "wildcard":
      return values.flatMap(childrenOf);
    case "descendants":
      return values.flatMap(descendantsOf);
    case "items":
      return values.flatMap((value) => itemsOf(value, step));
    case "filter":
      return values.flatMap((value) => filtered(value, step));
    case "union":
      return step.paths.flatMap((path) => walk(values, path));
    case "literal":
      return values.map(() => step.value);
    case "word":
      throw new JsonPathError(`unrecognized identifier ${step.word}`);
    default:
      return step satisfies never;
  }
}

function fieldOf(value: JsonValue, name: string): JsonValue[] {
  const field = isJsonObject(value) ? getOwn(value, name) : undefined;
  return field === undefined ? [] : [field];
}

/** A string has children too: its bytes. */
function childrenOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return [...new TextEncoder().encode(value)];
  return isJsonObject(value) ? Object.values(value) : [];
}

/** Returns the value and its descendants that have children. */
function descendantsOf(value: JsonValue): JsonValue[] {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendantsOf)];
}

function itemsOf(value: JsonValue, { from = 0, to, step = 1 }: ItemsStep): JsonValue[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new JsonPathError(`${typeof value} is not array or slice`);
  const { length } = value;
  const start = from < 0 ? from + length : from;
  const end = endOf(from, to, length);
  if (start === end) return [];
  if (start >= length || start < 0) throw new JsonPathError(`array index out of bounds: index ${start}, length ${length}`);
  if (end > length || end < 0) throw new JsonPathError(`array index out of bounds: index ${end - 1}, length ${length}`);
  if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  if (step <= 0) throw new JsonPathError("step must be > 0");
  return value.slice(start, end).filter((_, index) => index % step === 0);
}

function endOf(from: number, to: ItemsStep["to"], length: number): number {
  if (to === undefined) return length;
  const end = to === "next" ? from + 1 : to;
  // The index after -1 is 0, which here means the length.
  return end < 0 || (end === 0 && to === "next") ? end + length : end;
}

function filtered(value: JsonValue, { left, operator, right }: Extract<JsonPathStep, { readonly kind: "filter" }>): JsonValue[] {
  if (!Array.isArray(value)) throw new JsonPathError("only a list can be filtered");
  return value.filter((item) => {
    if (operator === "exists") return exists(item, left);
    const lefts = walk([item], left);
    if (lefts.length === 0) return false;
    const rights = lefts.length > 1 ? lefts : walk([item], right);
    if (lefts.length > 1 || rights.length > 1) throw new JsonPathError("can only compare one element at a time");
    return rights.length > 0 && compareScalars(lefts[0] ?? null, operator, rights[0] ?? null);
  });
}

/** As in kube-apiserver, a path that fails counts as existing. */
function exists(item: JsonValue, path: JsonPath): boolean {
  try {
    return walk([item], path).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return true;
    throw error;
  }
}
