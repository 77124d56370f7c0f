/** Evaluates a JSONPath. A missing field yields nothing; a path that does not fit the value is an error. */
import { Allowance, budget, getOwn, isJsonObject } from "@drover/machinery";
import type { Budget, JsonObject, JsonValue } from "@drover/machinery";
import { compareScalars } from "./compare-scalars.ts";
import { JsonPathError } from "./json-path.ts";
import type { ItemsStep, JsonPath, JsonPathStep } from "./json-path.ts";

/** A column of kubectl takes some ten steps; nested recursive descents and filters can take any number. */
export const pathSteps: Budget = budget({
  name: "apiserver/json-path",
  limit: 10_000,
  unit: "steps",
  atLimit: "The path has no value: the cell of a printer column is empty, a field selector sees an empty string.",
});

/**
 * Returns all values of the path, in order. Throws a {@link JsonPathError} when an index is out of bounds or applied to something
 * other than a list, and a `BudgetExceededError` before it would visit more values than allowed.
 */
export function findJsonPath(path: JsonPath, object: JsonObject, allowance: Allowance = new Allowance(pathSteps)): JsonValue[] {
  return walk([object], path, allowance);
}

function walk(values: readonly JsonValue[], path: JsonPath, allowance: Allowance): JsonValue[] {
  let found = values;
  for (const step of path) {
    allowance.spend(1);
    found = take(found, step, allowance);
  }
  return found as JsonValue[];
}

/** Applies a step to each value; each value and each result counts. */
function take(values: readonly JsonValue[], step: JsonPathStep, allowance: Allowance): readonly JsonValue[] {
  switch (step.kind) {
    case "field":
      return each(values, allowance, (value) => fieldOf(value, step.name));
    case "wildcard":
      return each(values, allowance, (value) => childrenOf(value, allowance));
    case "descendants":
      return descendantsOf(values, allowance);
    case "items":
      return each(values, allowance, (value) => itemsOf(value, step));
    case "filter":
      return each(values, allowance, (value) => filtered(value, step, allowance));
    case "union":
      return each(step.paths, allowance, (path) => walk(values, path, allowance));
    case "literal":
      return each(values, allowance, () => [step.value]);
    case "word":
      throw new JsonPathError(`unrecognized identifier ${step.word}`);
    default:
      return step satisfies never;
  }
}

function each<T>(items: readonly T[], allowance: Allowance, resultsOf: (item: T) => readonly JsonValue[]): JsonValue[] {
  const found: JsonValue[] = [];
  for (const item of items) {
    const results = resultsOf(item);
    allowance.spend(1 + results.length);
    for (const result of results) found.push(result);
  }
  return found;
}

function fieldOf(value: JsonValue, name: string): JsonValue[] {
  const field = isJsonObject(value) ? getOwn(value, name) : undefined;
  return field === undefined ? [] : [field];
}

/** A string has children too: its bytes. */
function childrenOf(value: JsonValue, allowance: Allowance): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return isJsonObject(value) ? Object.values(value) : [];
  allowance.spend(value.length);
  return [...new TextEncoder().encode(value)];
}

/** Returns the values and their descendants that have children, outermost first. */
function descendantsOf(values: readonly JsonValue[], allowance: Allowance): JsonValue[] {
  const found: JsonValue[] = [];
  const waiting = values.toReversed();
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    const children = childrenOf(value, allowance);
    allowance.spend(1 + children.length);
    if (children.length > 0) found.push(value);
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as JsonValue);
  }
  return found;
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

type FilterStep = Extract<JsonPathStep, { readonly kind: "filter" }>;

function filtered(value: JsonValue, { left, operator, right }: FilterStep, allowance: Allowance): JsonValue[] {
  if (!Array.isArray(value)) throw new JsonPathError("only a list can be filtered");
  return value.filter((item) => {
    if (operator === "exists") return exists(item, left, allowance);
    const lefts = walk([item], left, allowance);
    if (lefts.length === 0) return false;
    const rights = lefts.length > 1 ? lefts : walk([item], right, allowance);
    if (lefts.length > 1 || rights.length > 1) throw new JsonPathError("can only compare one element at a time");
    return rights.length > 0 && compareScalars(lefts[0] ?? null, operator, rights[0] ?? null);
  });
}

/** As in kube-apiserver, a path that fails counts as existing. */
function exists(item: JsonValue, path: JsonPath, allowance: Allowance): boolean {
  try {
    return walk([item], path, allowance).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return true;
    throw error;
  }
}
