import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  childElements,
  emptyFieldSet,
  fieldNode,
  fieldPaths,
  fieldSetOf,
  hasPath,
  intersectFieldSets,
  isEmptyFieldSet,
  isMember,
  leafFieldSet,
  sameFieldSet,
  subtractFieldSet,
  subtractFieldSetRecursively,
  unionFieldSets,
  unionNodes,
} from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { compareElements } from "./path-element.ts";

const element = fc.constantFrom("f:a", "f:b", "f:c", 'k:{"name":"a"}', "v:1", "v:20", "v:3", "i:0");
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 8 });
const key = (steps: readonly string[]): string => steps.join(" ");
const keys = (set: FieldSet): Set<string> => new Set(fieldPaths(set).map(key));
const isBelow = (steps: string, above: string): boolean => steps === above || steps.startsWith(`${above} `);

/** Every node in order, `.` first and never alone or at the top. */
function isCanonical(set: FieldSet, top = true): boolean {
  const all = Object.keys(set);
  if (all.includes(".") && (top || all[0] !== "." || all.length === 1)) return false;
  return childElements(set).every(
    (each, index, elements) =>
      (index === 0 || compareElements(elements[index - 1] ?? "", each) < 0) && isCanonical(set[each] ?? emptyFieldSet, false),
  );
}

describe("FieldSet", () => {
  it("equals its FieldsV1", () => {
    expect(fieldSetOf(["f:spec", "f:replicas"], ["f:labels"], ["f:labels", "f:app"])).toEqual({
      "f:labels": { ".": {}, "f:app": {} },
      "f:spec": { "f:replicas": {} },
    });
    expect(fieldSetOf()).toBe(emptyFieldSet);
    expect(isEmptyFieldSet(fieldSetOf([]))).toBe(true);
  });

  it("holds exactly its paths", () => {
    fc.assert(
      fc.property(paths, path, (list, other) => {
        const set = fieldSetOf(...list);
        expect(isCanonical(set)).toBe(true);
        expect(keys(set)).toEqual(new Set(list.map(key)));
        expect(hasPath(set, other)).toBe(list.some((each) => key(each) === key(other)));
        expect(hasPath(set, [])).toBe(false);
      }),
    );
  });

  it("has union, intersection and difference of paths", () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [a, b] = [fieldSetOf(...left), fieldSetOf(...right)];
        const [inA, inB] = [keys(a), keys(b)];
        const [union, both, rest] = [unionFieldSets(a, b), intersectFieldSets(a, b), subtractFieldSet(a, b)];
        expect([union, both, rest].every((set) => isCanonical(set))).toBe(true);
        expect(keys(union)).toEqual(new Set([...inA, ...inB]));
        expect(keys(both)).toEqual(new Set([...inA].filter((each) => inB.has(each))));
        expect(keys(rest)).toEqual(new Set([...inA].filter((each) => !inB.has(each))));
        expect(sameFieldSet(unionFieldSets(rest, both), a)).toBe(true);
        expect(sameFieldSet(a, b)).toBe(JSON.stringify([...inA].toSorted()) === JSON.stringify([...inB].toSorted()));
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 4) },
    );
  });

  it("loses everything below a path in recursive difference", () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const rest = subtractFieldSetRecursively(fieldSetOf(...left), fieldSetOf(...right));
        expect(isCanonical(rest)).toBe(true);
        expect(keys(rest)).toEqual(new Set(left.map(key).filter((each) => !right.some((above) => isBelow(each, key(above))))));
      }),
    );
  });

  it("has as leaves the paths with nothing below", () => {
    fc.assert(
      fc.property(paths, (list) => {
        const leaves = leafFieldSet(fieldSetOf(...list));
        expect(isCanonical(leaves)).toBe(true);
        expect(keys(leaves)).toEqual(
          new Set(list.map(key).filter((each) => !list.some((other) => key(other) !== each && isBelow(key(other), each)))),
        );
      }),
    );
  });

  it("is not copied without a change", () => {
    const set = fieldSetOf(["f:a", "f:b"], ["f:c"]);
    expect(unionFieldSets(set, fieldSetOf(["f:c"]))).toBe(set);
    expect(subtractFieldSet(set, fieldSetOf(["f:a"], ["f:x"]))).toBe(set);
    expect(subtractFieldSet(set, fieldSetOf(["f:c"]))["f:a"]).toBe(set["f:a"]);
  });

  it("is immutable", () => {
    const freeze = (node: FieldSet): FieldSet => {
      for (const each of Object.values(node)) freeze(each);
      return Object.freeze(node);
    };
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [a, b] = [freeze(fieldSetOf(...left)), freeze(fieldSetOf(...right))];
        for (const operation of [unionFieldSets, intersectFieldSets, subtractFieldSet, subtractFieldSetRecursively]) operation(a, b);
      }),
    );
  });

  it("lists the members of a node before what is below them", () => {
    expect(fieldPaths(fieldSetOf(["f:a", "f:x"], ["f:b"], ["f:a"]))).toEqual([["f:a"], ["f:b"], ["f:a", "f:x"]]);
  });

  it("sorts children, and tells members from intermediate nodes", () => {
    expect(JSON.stringify(fieldNode(true, { "v:10": {}, "v:9": {}, "f:b": {}, "f:a": {} }))).toBe(
      '{".":{},"f:a":{},"f:b":{},"v:9":{},"v:10":{}}',
    );
    expect(fieldNode(false, {})).toBeUndefined();
    expect(fieldNode(true, undefined)).toBe(emptyFieldSet);
    expect([isMember({}), isMember({ ".": {}, "f:a": {} }), isMember({ "f:a": {} })]).toEqual([true, true, false]);
    expect(unionNodes({}, { "f:a": {} })).toEqual({ ".": {}, "f:a": {} });
  });
});
