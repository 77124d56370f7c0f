import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { jsonSize } from "./json-size.ts";

describe("jsonSize", () => {
  it.each([
    [null, 4],
    [true, 4],
    [false, 5],
    [-1.5, 4],
    [2n ** 60n, 19],
    ["", 2],
    ["<&>", 20],
    ["é", 4],
    ["€", 5],
    ["😀", 6],
    ["\u2028", 8],
    ['\n\t"\\', 10],
    ["\u0001", 8],
    ["\u007f", 3],
    [[], 2],
    [[1, 2], 5],
    [{}, 2],
    [{ a: 1, "<": [] }, 19],
  ])("of %o is %i bytes", (value, size) => {
    expect(jsonSize(value)).toBe(size);
  });

  it("equals the length of the text without Go's own escapes", () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((value) => !/[<>&]/.test(JSON.stringify(value))),
        (value) => {
          expect(jsonSize(value as null)).toBe(new TextEncoder().encode(JSON.stringify(value)).length);
        },
      ),
    );
  });
});
