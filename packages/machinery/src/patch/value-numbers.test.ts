import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { jsonEqual } from "../json/json-equal.ts";
import type { JsonValue } from "../json/json-value.ts";
import { ValueNumbers } from "./value-numbers.ts";

describe("ValueNumbers", () => {
  it("ignores the order of keys, and distinguishes types", () => {
    const numbers = new ValueNumbers();
    expect(numbers.of({ a: 1, b: [2, null] })).toBe(numbers.of({ b: [2, null], a: 1n }));
    const different: JsonValue[] = [
      1,
      "1",
      true,
      "true",
      null,
      "null",
      [],
      {},
      [1],
      ["1"],
      [[1]],
      { a: 1 },
      { 'a"1': 1 },
      [1, 2],
      ["1,2"],
      "[0",
      "{",
      { ["__proto__"]: 1 },
    ];
    expect(new Set(different.map((value) => numbers.of(value))).size).toBe(different.length);
  });

  it("is equal exactly for equal values", () => {
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom<JsonValue>(0, "0", null, false, ""),
        fc.dictionary(fc.constantFrom("", "a", '"'), tie("value"), { maxKeys: 2 }),
        fc.array(tie("value"), { maxLength: 2 }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (left, right) => {
        const numbers = new ValueNumbers();
        expect(numbers.of(left) === numbers.of(right)).toBe(jsonEqual(left, right));
      }),
    );
  });
});
