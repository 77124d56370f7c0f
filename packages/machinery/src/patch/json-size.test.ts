import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { jsonSize } from "./json-size.ts";

describe("the size of a value as JSON", () => {
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

  it("is that of the text for all that needs no escapes of Go's own", () => {
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
