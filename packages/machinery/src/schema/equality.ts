/**
 * Semantic equality of objects.
 *
 * Without a schema, absent, `null`, an empty list and an empty object are equal. With a schema, quantities ("1" and "1000m") and
 * times compare by value, an entry of a map is present or not whatever its value, and an empty object that chooses something
 * (`emptyDir: {}`) differs from an absent one. In both cases an absent number, string or boolean differs from 0, "" and false,
 * unless the schema's default says that absent means just that.
 *
 *     desired, live (and the kind's schema) → equal: nothing to write
 */
import type { Schema } from "./schema.ts";
import { compareQuantities } from "../values/quantity.ts";
import type { QuantityValue } from "../values/quantity.ts";
import { compareTimes } from "../values/time.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { getOwn } from "../json/own.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether two values are semantically equal: `equality.Semantic.DeepEqual` of apimachinery. The order of lists matters, that of
 * keys does not.
 */
export function semanticEqual(a: unknown, b: unknown, schema?: Schema): boolean {
  if (a === b) return true;
  const left = settle(a, schema);
  const right = settle(b, schema);
  if (isFields(left) && isFields(right)) return fieldsEqual(left, right, schema);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => semanticEqual(item, right[index], schema?.items));
  }
  if (left === undefined || right === undefined || isFields(left) || isFields(right))
    return isEmpty(left, schema) && isEmpty(right, schema);
  return scalarsEqual(left, right, schema);
}

/**
 * Whether `b` contains everything set in `a`: `equality.Semantic.DeepDerivative` of apimachinery. Does not compare what is unset in
 * `a` (absent, `null`, "" or empty), and a list of `a` may be a prefix of the one in `b`; 0 and false are set.
 */
export function semanticDerivative(a: unknown, b: unknown, schema?: Schema): boolean {
  if (a === b || a === "" || isEmpty(a, schema)) return true;
  const right = settle(b, schema);
  if (Array.isArray(a)) {
    return (
      Array.isArray(right) && a.length <= right.length && a.every((item, index) => semanticDerivative(item, right[index], schema?.items))
    );
  }
  if (!isFields(a)) return right !== undefined && !isFields(right) && scalarsEqual(a, right, schema);
  const fields = right === undefined && !isPresence(schema) ? {} : right;
  return (
    isFields(fields) &&
    Object.keys(a).every(
      (key) => (!isMap(schema) || Object.hasOwn(fields, key)) && semanticDerivative(a[key], getOwn(fields, key), fieldSchema(schema, key)),
    )
  );
}

function fieldsEqual(left: Fields, right: Fields, schema: Schema | undefined): boolean {
  const entriesCount = isMap(schema);
  let shared = 0;
  for (const key of Object.keys(left)) {
    const known = Object.hasOwn(right, key);
    if (known) shared++;
    else if (entriesCount) return false;
    if (!semanticEqual(left[key], known ? right[key] : undefined, fieldSchema(schema, key))) return false;
  }
  const others = Object.keys(right);
  if (others.length === shared) return true;
  return !entriesCount && others.every((key) => Object.hasOwn(left, key) || semanticEqual(undefined, right[key], fieldSchema(schema, key)));
}

function scalarsEqual(a: unknown, b: unknown, schema: Schema | undefined): boolean {
  if (jsonEqual(a, b)) return true;
  try {
    const format = schema?.format;
    if (format === "quantity") return compareQuantities(a as QuantityValue, b as QuantityValue) === 0;
    const isTime = format === "date-time" || format === "micro-time";
    return isTime && typeof a === "string" && typeof b === "string" && compareTimes(a, b) === 0;
  } catch {
    // One of them is not a quantity or time, and as texts they differ.
    return false;
  }
}

/** `null` is absent; and absent is the default where that is a zero value, which is how Kubernetes marks fields that always exist. */
function settle(value: unknown, schema: Schema | undefined): unknown {
  if (value !== undefined && value !== null) return value;
  const zero = schema?.default;
  const meansAbsent = zero === 0 || zero === "" || zero === false || (isFields(zero) && Object.keys(zero).length === 0);
  return meansAbsent ? zero : undefined;
}

/** Whether the value equals an absent one. A value with only empty members is empty, or equality would not be transitive. */
function isEmpty(value: unknown, schema: Schema | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isFields(value) || isPresence(schema)) return false;
  const keys = Object.keys(value);
  return keys.length === 0 || (!isMap(schema) && keys.every((key) => isEmpty(value[key], fieldSchema(schema, key))));
}

/** An object whose keys are data: labels, limits. */
function isMap(schema: Schema | undefined): boolean {
  return schema?.additionalProperties !== undefined && schema.additionalProperties !== false && schema.properties === undefined;
}

/** An optional object with named fields: its presence has a meaning even when it is empty. */
function isPresence(schema: Schema | undefined): boolean {
  return schema?.properties !== undefined && settle(undefined, schema) === undefined;
}

function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const named = schema?.properties && getOwn(schema.properties, key);
  if (named !== undefined) return named;
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
