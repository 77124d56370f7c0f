import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeeper, mayBeDeeper } from "./json-depth.ts";
import type { JsonValue } from "./json-value.ts";

describe("isDeeper and mayBeDeeper", () => {
  it("count nested objects and lists", () => {
    expect([
      isDeeper(1, 0),
      isDeeper([], 0),
      isDeeper([], 1),
      isDeeper({ a: [{}] }, 2),
      isDeeper({ a: [{}] }, 3),
      isDeeper([1, null, [2, [3]]], 2),
    ]).toEqual([false, true, false, true, false, true]);
  });
  it("never underestimate from the text", () => {
    const level = fc.oneof(
      fc.constant(["[", "]"]),
      fc.stringMatching(/^[a-z{}[\]]{0,3}$/).map((key) => [`{"${key}":`, "}"]),
      fc.constant(['{"x":[1,{}],"y":', ',"z":"}"}']),
    );
    fc.assert(
      fc.property(fc.array(level, { maxLength: 12 }), fc.nat(12), fc.string({ maxLength: 20 }), (levels, maxDepth, filler) => {
        const text = levels.reduceRight((inner, [open = "", close = ""]) => open + inner + close, JSON.stringify(filler));
        if (isDeeper(JSON.parse(text) as JsonValue, maxDepth)) expect(mayBeDeeper(text, maxDepth)).toBe(true);
      }),
    );
  });
  it("do not suspect an ordinary object of some kilobytes", () => {
    const text = JSON.stringify({
      items: Array.from({ length: 100 }, (_, index) => ({ name: `item-${index}`, spec: { image: "a".repeat(50), ports: [{ port: 80 }] } })),
    });
    expect(text.length).toBeGreaterThan(10_000);
    expect(mayBeDeeper(text, 1000)).toBe(false);
  });
  it("work on a part of a text", () => {
    const text = `${"[".repeat(50)}${"]".repeat(50)}${" ".repeat(50)}`;
    expect([mayBeDeeper(text, 20), mayBeDeeper(text, 20, 100), mayBeDeeper(text, 20, 0, 41)]).toEqual([true, false, true]);
  });
});
