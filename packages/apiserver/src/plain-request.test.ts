import { describe, expect, it } from "vitest";
import { firstHeader, headerText, splitPath } from "./plain-request.ts";

describe("splitPath", () => {
  it("separates the path from its query and skips parameters it cannot read", () => {
    expect(splitPath("/a?b=1&b=2")).toEqual(["/a", new Map([["b", ["1", "2"]]])]);
    expect(splitPath("/a")[1].size).toBe(0);
    expect(splitPath("/a?%zz")[0]).toBe("/a");
  });
});

describe("headerText and firstHeader", () => {
  it("read a header that occurs once, more often, or not at all", () => {
    const headers = { accept: ["a/b", "c/d"], host: "x" };
    expect([headerText({ headers }, "accept"), headerText({ headers }, "host"), headerText({ headers }, "toString")]).toEqual([
      "a/b,c/d",
      "x",
      "",
    ]);
    expect([firstHeader(headers, "accept"), firstHeader(headers, "host"), firstHeader(headers, "toString")]).toEqual(["a/b", "x", ""]);
  });
});
