import type { JsonValue } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";
import { fromJson, toJson } from "./json-value.ts";
import { duration, none } from "./value.ts";

describe("CEL values of JSON without a schema", () => {
  it("have types that follow from the JSON", () => {
    const self = fromJson({ i: 3, f: 1.5, s: "x", l: [1, "a"], n: null, kind: "failure" });
    expect(valueOf("type(self.i) == int && type(self.f) == double && type(self.l) == list && self.n == null", self)).toBe(true);
    expect(valueOf("self.l[1] + self.s + self.kind", self)).toBe("axfailure");
    expect(valueOf("self.nope", self)).toBe("no such key: nope");
    expect(valueOf("has(self.i) && !has(self.toString)", self)).toBe(true);
  });

  it("return to the same JSON", () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    fc.assert(
      fc.property(json, (value) => {
        expect(toJson(fromJson(value))).toEqual({ json: value });
      }),
    );
  });

  it("keep numbers beyond 2^53", () => {
    expect(toJson(fromJson(9_007_199_254_740_993n))).toEqual({ json: 9_007_199_254_740_993n });
  });

  it("have no JSON for types, optionals, and maps with other keys", () => {
    expect(toJson(none)).toEqual({ problem: "unsupported type: optional_type" });
    expect(toJson(valueOf("type(1)"))).toHaveProperty("problem");
    expect(toJson(valueOf("{1: 'a'}"))).toEqual({ problem: 'map key "1" is of type int, not string' });
    expect(toJson(valueOf("[{'a': [type(1)]}]"))).toHaveProperty("problem");
  });

  it("print bytes, times and durations", () => {
    expect(toJson(new Uint8Array([1, 2, 255]))).toEqual({ json: "AQL/" });
    expect(toJson(duration(1_500_000_000n))).toEqual({ json: "1.5s" });
    expect(toJson(valueOf("timestamp('2020-01-01T00:00:00Z')"))).toEqual({ json: "2020-01-01T00:00:00Z" });
  });
});
