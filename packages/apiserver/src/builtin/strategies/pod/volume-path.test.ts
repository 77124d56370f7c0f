import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateDescendingPath, validateFileMode, validateUnreservedPath } from "./volume-path.ts";

describe("paths in volumes", () => {
  it("go only down", () => {
    expect(validateDescendingPath("a/b..c", "p")).toEqual([]);
    expect(texts(validateDescendingPath("/a/../b", "p"))).toEqual([
      'p: Invalid value: "/a/../b": must be a relative path',
      "p: Invalid value: \"/a/../b\": must not contain '..'",
    ]);
  });

  it("do not look like the kubelet's own files", () => {
    expect(texts(validateUnreservedPath("..data", "p"))).toEqual(["p: Invalid value: \"..data\": must not start with '..'"]);
    expect(texts(validateUnreservedPath("../a", "p"))).toEqual(["p: Invalid value: \"../a\": must not contain '..'"]);
  });
});

describe("modes of files", () => {
  it("have three digits of eight", () => {
    expect(validateFileMode(0o777, "p")).toEqual([]);
    expect(validateFileMode(undefined, "p")).toEqual([]);
    expect(texts(validateFileMode(0o1000, "p"))).toEqual([
      "p: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
    ]);
  });
});
