import { describe, expect, it } from "vitest";
import { BudgetExceededError, isBudgetExceededError } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import fc from "fast-check";
import { findJsonPath } from "./find-json-path.ts";
import { JsonPathError } from "./json-path.ts";
import { parseJsonPath } from "./parse-json-path.ts";

const find = (path: string, object: JsonObject): unknown[] => findJsonPath(parseJsonPath(path), object);

describe("findJsonPath", () => {
  const object: JsonObject = {
    spec: { size: 3, tags: ["a", "b", "c"], none: null, "a.b": 1, empty: "" },
    status: {
      conditions: [
        { type: "Ready", status: "True", age: 5 },
        { type: "Done", status: "False", age: 7, odd: [] },
      ],
    },
  };

  it("finds fields, and nothing for a missing field", () => {
    expect(find(".spec.size", object)).toEqual([3]);
    expect(find(".spec.a\\.b", object)).toEqual([1]);
    expect(find(".spec.none", object)).toEqual([null]);
    expect(find(".spec.size.x", object)).toEqual([]);
    expect(find(".spec.none.x", object)).toEqual([]);
    expect(find(".constructor", object)).toEqual([]);
  });

  it("finds items by index, from either end, and slices", () => {
    expect(find(".spec.tags[1]", object)).toEqual(["b"]);
    expect(find(".spec.tags[-1]", object)).toEqual(["c"]);
    expect(find(".spec.tags[-2:]", object)).toEqual(["b", "c"]);
    expect(find(".spec.tags[0:3:2]", object)).toEqual(["a", "c"]);
    expect(find(".spec.tags[*]", object)).toEqual(["a", "b", "c"]);
    expect(find(".spec.tags[0,2]", object)).toEqual(["a", "c"]);
    expect(find(".spec.tags[7:7]", object)).toEqual([]);
    expect(find(".spec.none[0]", object)).toEqual([]);
  });

  it("filters lists", () => {
    expect(find('.status.conditions[?(@.type=="Ready")].status', object)).toEqual(["True"]);
    expect(find(".status.conditions[?(@.age>5)].type", object)).toEqual(["Done"]);
    expect(find(".status.conditions[?(@.age<=7)].type", object)).toEqual(["Ready", "Done"]);
    expect(find(".status.conditions[?(@.type!='Ready')].type", object)).toEqual(["Done"]);
    expect(find(".status.conditions[?(@.odd)].type", object)).toEqual(["Done"]);
    expect(find(".status.conditions[?(@.odd==1)].type", { status: { conditions: [{ odd: 1, type: "x" }, { type: "y" }] } })).toEqual(["x"]);
  });

  it("treats a path that does not fit as existing", () => {
    expect(find(".status.conditions[?(@.type[0])].type", object)).toEqual(["Ready", "Done"]);
  });

  it("finds all descendants, outermost first", () => {
    expect(find("..type", object)).toEqual(["Ready", "Done"]);
    expect(find(".spec.tags..", object)).toEqual([["a", "b", "c"], "a", "b", "c"]);
    expect(find(".spec.empty..", object)).toEqual([]);
    expect(find(".spec.tags[0].*", object)).toEqual([97]);
  });

  it.each([
    [".spec.tags[3]", "array index out of bounds: index 3, length 3"],
    [".spec.tags[-4]", "array index out of bounds: index -1, length 3"],
    [".spec.tags[0:9]", "array index out of bounds: index 8, length 3"],
    [".spec.tags[2:1]", "starting index 2 is greater than ending index 1"],
    [".spec.tags[0:2:0]", "step must be > 0"],
    [".spec[0]", "object is not array or slice"],
    [".spec[?(@.a)]", "only a list can be filtered"],
    [".status.conditions[?(@.age=='x')]", "incompatible types for comparison"],
    [".status.conditions[?(@.odd==1)]", "invalid type for comparison"],
    [".status.conditions[?(@.age=~1)]", "unrecognized character in action: ~"],
    [".status.conditions[?(@.age=1)]", "unrecognized filter operator ="],
    [".status.conditions[?(@.*==1)]", "can only compare one element at a time"],
    [".spec x", "unrecognized identifier x"],
    [".status.conditions[?(true<false)]", "invalid type for comparison"],
  ])("refuses %j", (path, problem) => {
    expect(() => find(path, object)).toThrow(problem);
  });

  it("equals property access for paths of plain fields", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z_]{1,4}$/), { minLength: 1, maxLength: 4 }), fc.jsonValue(), (names, leaf) => {
        const nested = names.reduceRight<unknown>((value, name) => ({ [name]: value }), leaf);
        expect(find(names.map((name) => `.${name}`).join(""), nested as JsonObject)).toEqual([leaf]);
      }),
    );
  });
});

describe("the budget of findJsonPath", () => {
  /** Every `a` has an `a` below: ..a finds as many values as the object is deep, and each further ..a multiplies. */
  const deep = Array.from({ length: 200 }).reduce<JsonObject>((inner) => ({ a: inner }), {});

  it("ends nested recursive descents before they multiply (SEC4)", () => {
    for (const path of ["..a..a", "..a..a..a..a..a", "..a".repeat(30), "..a[?(@..a)]", "..[0:0]"])
      try {
        findJsonPath(parseJsonPath(path), deep);
      } catch (error) {
        expect(isBudgetExceededError(error) || error instanceof JsonPathError).toBe(true);
      }
    expect(() => find("..a..a..a", deep)).toThrow(BudgetExceededError);
  });

  it("ends nested filters and the bytes of long strings (SEC4)", () => {
    const list: JsonObject = { l: Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => ["x"])) };
    expect(() => find(".l[?(@[?(@[*])])]", list)).toThrow();
    expect(() => find(".s.*", { s: "x".repeat(1_000_000) })).toThrow(BudgetExceededError);
    expect(() => find(`[${"0,".repeat(20_000)}0]`, { l: [1] })).toThrow();
  });
});
