import { describe, expect, it } from "vitest";
import { sortedObject, sortedValue } from "./json-order.ts";

describe("sortedValue", () => {
  it("sorts keys by bytes at every depth", () => {
    expect(JSON.stringify(sortedValue({ b: [{ z: 1, a: 2 }], B: null, a: { y: 1, x: 2 } }))).toBe(
      '{"B":null,"a":{"x":2,"y":1},"b":[{"a":2,"z":1}]}',
    );
  });

  it("keeps a key such as __proto__", () => {
    expect(
      JSON.stringify(
        sortedObject([
          ["__proto__", 1],
          ["a", 2],
        ]),
      ),
    ).toBe('{"__proto__":1,"a":2}');
  });
});
