import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueSize } from "./value-size.ts";

describe("valueSize", () => {
  it("is never less than the JSON text of a value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(valueSize(value, Infinity)).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(value), "latin1") / 2);
      }),
    );
  });

  it("grows with every member, string and byte array", () => {
    const sizes = [{}, { a: 1 }, { a: 1, b: 2 }, { a: 1, b: "text" }, { a: 1, b: "x".repeat(1000) }, { a: new Uint8Array(10_000) }].map(
      (value) => valueSize(value, Infinity),
    );
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes.at(-1)).toBeGreaterThan(10_000);
  });

  it("stops above the maximum: a cycle ends, and a long array is not walked", () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    expect(valueSize(cycle, 1000)).toBeGreaterThan(1000);
    const visited = { count: 0 };
    const long = Array.from({ length: 100_000 }, () => Object.defineProperty({}, "a", { enumerable: true, get: () => visited.count++ }));
    expect(valueSize(long, 1000)).toBeGreaterThan(1000);
    expect(visited.count).toBe(0);
  });

  it("does not recurse: a chain of 100,000 objects is measured", () => {
    let chain: object = {};
    for (let depth = 0; depth < 100_000; depth++) chain = { chain };
    expect(valueSize(chain, Infinity)).toBeGreaterThan(100_000);
  });
});
