import { describe, expect, it } from "vitest";

import { excludeFields, includeFields } from "./field-filter.ts";
import { fieldPaths, fieldSetOf } from "./field-set.ts";

const set = fieldSetOf(["f:spec", "f:a"], ["f:spec", "f:b", "f:c"], ["f:status"], ["f:status", "f:x"], ["f:metadata", "f:labels", "f:l"]);

describe("field filters", () => {
  it("exclude fields with everything below", () => {
    expect(fieldPaths(excludeFields(fieldSetOf(["f:status"], ["f:spec", "f:b"]))(set))).toEqual([
      ["f:metadata", "f:labels", "f:l"],
      ["f:spec", "f:a"],
    ]);
  });

  it("include what patterns lead to, and everything below", () => {
    expect(fieldPaths(includeFields(["f:spec", "f:b"], ["f:metadata"])(set))).toEqual([
      ["f:metadata", "f:labels", "f:l"],
      ["f:spec", "f:b", "f:c"],
    ]);
    expect(fieldPaths(includeFields(["*", "f:x"])(set))).toEqual([["f:status"], ["f:status", "f:x"]]);
  });

  it("try no other pattern beside a matching *", () => {
    expect(fieldPaths(includeFields(["f:spec"], ["*", "f:x"])(set))).toEqual([["f:status"], ["f:status", "f:x"]]);
  });

  it("leave an empty set where nothing matches", () => {
    expect(includeFields(["f:nothing"])(set)).toEqual({});
    expect(excludeFields(set)(set)).toEqual({});
  });
});
