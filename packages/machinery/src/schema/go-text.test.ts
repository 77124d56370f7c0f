import { describe, expect, it } from "vitest";
import type { JsonValue } from "../wire/json-value.ts";
import { goValue, isInt64 } from "./go-text.ts";

describe("a value as Go prints it", () => {
  it.each<[JsonValue, string]>([
    [null, "<nil>"], [1, "1"], [1000000, "1000000"], [2500000.5, "2.5000005e+06"], [2n ** 63n - 1n, "9223372036854775807"], [2n ** 64n, "1.8446744073709552e+19"], [true, "true"], ["a b", "a b"],
    [["a", 1, null], "[a 1 <nil>]"], [{ b: 1, a: [2] }, "map[a:[2] b:1]"],
  ])("%o is %s", (value, text) => expect(goValue(value)).toBe(text));

  it("tells integers of 64 bits from floats", () => {
    expect([0, -1, 2 ** 53 - 1, 2n ** 63n - 1n, -(2n ** 63n)].every(isInt64)).toBe(true);
    expect([0.5, 1e21, 2n ** 63n, -(2n ** 63n) - 1n].some(isInt64)).toBe(false);
  });
});
