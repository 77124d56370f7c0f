/**
 * Compares two states of a cluster field by field.
 *
 *     expected, found, mask → differencesOf → sentences;   two fault-free runs → maskOf → fields that differ by chance
 */
import { isJsonObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import type { CanonicalState } from "./canonical-state.ts";

/** One difference: an object that is missing or too many, or a field. */
export interface StateDifference {
  /** Key of the object in the store. */
  readonly key: string;
  readonly kind: "missing" | "extra" | "field";
  /** Of a field: "spec.replicas". */
  readonly path?: string;
  readonly expected?: JsonValue;
  readonly found?: JsonValue;
}

/** Fields not to compare, as "key path"; a path ends with "/" if everything below it is meant. */
export type Mask = ReadonlySet<string>;

/** Returns the differences, in the order of keys. */
export function differencesOf(expected: CanonicalState, found: CanonicalState, mask: Mask = new Set()): readonly StateDifference[] {
  const differences: StateDifference[] = [];
  for (const key of new Set([...expected.keys(), ...found.keys()].toSorted())) {
    if (mask.has(`${key} `)) continue;
    const [left = [], right = []] = [expected.get(key), found.get(key)];
    for (let index = 0; index < Math.max(left.length, right.length); index++) {
      const [before, after] = [left[index], right[index]];
      if (before === undefined) differences.push({ key, kind: "extra" });
      else if (after === undefined) differences.push({ key, kind: "missing" });
      else differences.push(...fieldDifferences(key, "", before, after, mask));
    }
  }
  return differences;
}

function fieldDifferences(key: string, path: string, expected: JsonValue, found: JsonValue, mask: Mask): readonly StateDifference[] {
  if (expected === found || mask.has(`${key} ${path}`)) return [];
  if (isJsonObject(expected) && isJsonObject(found))
    return [...new Set([...Object.keys(expected), ...Object.keys(found)])].flatMap((name) => {
      const [before, after] = [expected[name], found[name]];
      const inner = path === "" ? name : `${path}.${name}`;
      if (before === undefined || after === undefined)
        return mask.has(`${key} ${inner}`)
          ? []
          : [
              {
                key,
                kind: "field" as const,
                path: inner,
                ...(before === undefined ? {} : { expected: before }),
                ...(after === undefined ? {} : { found: after }),
              },
            ];
      return fieldDifferences(key, inner, before, after, mask);
    });
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.flatMap((item, index) => fieldDifferences(key, `${path}[${index}]`, item, found[index] ?? null, mask));
  return JSON.stringify(expected) === JSON.stringify(found) ? [] : [{ key, kind: "field", path, expected, found }];
}

/** Returns the fields in which two runs without faults differ: random values, and what depends on time. */
export const maskOf = (first: CanonicalState, second: CanonicalState): Mask =>
  new Set(differencesOf(first, second).map(({ key, path = "" }) => `${key} ${path}`));
