import { describe, expect, it } from "vitest";
import { firstHeader, isAscii, requestHeaders, responseHeaders, withoutHeaders } from "./header-lines.ts";

describe("header lines", () => {
  it("have lower-case names, repeated values as a list in order, and UTF-8", () => {
    expect(responseHeaders(["Content-Type", "a", "Warning", "1", "WARNING", "2", "warning", "3", "X", "\u00c3\u00a4"])).toEqual({
      "content-type": "a",
      warning: ["1", "2", "3"],
      x: "ä",
    });
  });
  it("may have names with a meaning in JavaScript", () => {
    const headers = responseHeaders(["__proto__", "a", "constructor", "b", "__proto__", "c"]);
    expect(Object.entries(headers)).toEqual([
      ["__proto__", ["a", "c"]],
      ["constructor", "b"],
    ]);
    expect(({} as { readonly a?: unknown }).a).toBeUndefined();
  });
  it("are written as UTF-8 through Node's Latin-1", () => {
    expect(requestHeaders({ a: "x", b: ["ü", "y"] })).toEqual({ a: "x", b: ["\u00c3\u00bc", "y"] });
    expect(isAscii({ a: "x", b: ["y"] })).toBe(true);
    expect(isAscii({ a: "x", b: ["y", "ü"] })).toBe(false);
  });
  it("are found and removed by name", () => {
    expect([firstHeader({ a: ["1", "2"] }, "a"), firstHeader({ a: "1" }, "a"), firstHeader({}, "toString")]).toEqual(["1", "1", ""]);
    expect(withoutHeaders({ a: "1", b: "2", c: "3" }, "a", "c")).toEqual({ b: "2" });
  });
});
