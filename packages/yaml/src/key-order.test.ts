import fc from "fast-check";
import { expect, it } from "vitest";
import { compareKeys, sortKeys } from "./key-order.ts";

it("compareKeys sorts letters after the rest, numbers within names by value, and lower after upper case", () => {
  const sorted = ["", "-", "1", "01", "2", "10", "A", "B", "a", "a-b", "a1", "a2", "a10", "a100", "aa", "b", "é", "中"];
  expect(sorted.toReversed().toSorted(compareKeys)).toEqual(sorted);
  expect(["x10", "x1", "x100"].toSorted(compareKeys)).toEqual(["x1", "x10", "x100"]);
  expect(compareKeys("\u{1f600}", "\u{1f601}")).toBeLessThan(0);
});

it("compareKeys is antisymmetric, and zero only for equal keys", () => {
  const key = fc.string({ unit: fc.constantFrom("a", "B", "0", "1", "9", "-", "é", "\u{1f600}"), maxLength: 6 });
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareKeys(a, b)) + Math.sign(compareKeys(b, a))).toBe(0);
      expect(compareKeys(a, b) === 0).toBe(a === b);
    }),
  );
});

it("sortKeys gives the same keys the same order, even where compareKeys has circles", () => {
  expect([compareKeys("1e", "9"), compareKeys("9", "10"), compareKeys("10", "1e")].map(Math.sign)).toEqual([-1, -1, -1]);
  const keys = ["-:", ".", ".c", "1e", "9", "10"];
  fc.assert(
    fc.property(fc.shuffledSubarray(keys, { minLength: keys.length }), (shuffled) => {
      expect(sortKeys(shuffled)).toEqual(sortKeys(keys));
    }),
  );
});
