import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateDescendingPath, validateFileMode, validateUnreservedPath } from "./volume-path.ts";

describe("paths in volumes", () => {
  it("must be relative and without ..", () => {
    expect(validateDescendingPath("a/b..c", "p")).toEqual([]);
    expect(texts(validateDescendingPath("/a/../b", "p"))).toEqual([
      'p: Invalid value: "/a/../b": must be a relative path',
      "p: Invalid value: \"/a/../b\": must not contain '..'",
    ]);
  });

  it("must not start with ..", () => {
    expect(texts(validateUnreservedPath("..data", "p"))).toEqual(["p: Invalid value: \"..data\": must not start with '..'"]);
    expect(texts(validateUnreservedPath("../a", "p"))).toEqual(["p: Invalid value: \"../a\": must not contain '..'"]);
  });
});

describe("validateFileMode", () => {
  it("accepts 0 to 0777", () => {
    expect(validateFileMode(0o777, "p")).toEqual([]);
    expect(validateFileMode(undefined, "p")).toEqual([]);
    expect(texts(validateFileMode(0o1000, "p"))).toEqual([
      "p: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
    ]);
  });
});
