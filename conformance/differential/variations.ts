/** Variations of an object: each of its values left out, or replaced by one of another type or by an extreme. */
import type { JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";

/** Paths of all members and items, at most so deep. */
export function* placesOf(
  value: JsonValue,
  depthMax: number,
  above: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  if (above.length > 0) yield above;
  if (above.length === depthMax) return;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* placesOf(item, depthMax, [...above, index]);
  else if (isJsonObject(value)) for (const [name, member] of Object.entries(value)) yield* placesOf(member, depthMax, [...above, name]);
}

/** A copy with another value at a place; undefined removes it. */
export function varied(value: JsonValue, [first, ...rest]: readonly (string | number)[], replacement: JsonValue | undefined): JsonValue {
  if (first === undefined) return replacement ?? null;
  if (Array.isArray(value)) {
    const isGone = rest.length === 0 && replacement === undefined;
    return value.flatMap((item, index) => (index !== first ? [item] : isGone ? [] : [varied(item, rest, replacement)]));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    if (name !== first) return [[name, member]];
    return rest.length === 0 && replacement === undefined ? [] : [[name, varied(member, rest, replacement)]];
  });
  return Object.fromEntries(entries);
}

/** What is put in the place of a value: nothing, other types, extremes. */
export const replacements: readonly (JsonValue | undefined)[] = [undefined, null, "", "Not Valid!", -1, 1.5, true, [], {}];
