import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength, compareBytes } from "./byte-text.ts";

const text = fc.string({ unit: "binary", maxLength: 20 });
const encode = (value: string): Uint8Array => new TextEncoder().encode(value);

function compareModel(a: string, b: string): number {
  const [left, right] = [encode(a), encode(b)];
  for (let index = 0; index < Math.min(left.length, right.length); index++)
    if (left[index] !== right[index]) return (left[index] ?? 0) - (right[index] ?? 0);
  return left.length - right.length;
}

describe("byteLength and compareBytes", () => {
  it("return the length in UTF-8", () => {
    expect(["", "a", "é", "日", "😀", "\ud800", "\udc00\ud800", "a😀b"].map(byteLength)).toEqual([0, 1, 2, 3, 4, 3, 6, 6]);
    fc.assert(fc.property(text, (value) => byteLength(value) === encode(value).length));
  });

  it("order by UTF-8, where characters beyond U+FFFF come last", () => {
    expect(["😀", "\uffff", "\ue000", "\ud7ff", "a", "😀b", ""].toSorted(compareBytes)).toEqual([
      "",
      "a",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "😀",
      "😀b",
    ]);
    expect(["\ue000", "😀"].toSorted()).toEqual(["😀", "\ue000"]);
    fc.assert(fc.property(text, text, (a, b) => Math.sign(compareBytes(a, b)) === Math.sign(compareModel(a, b))));
  });
});
