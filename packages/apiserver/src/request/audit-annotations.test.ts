import { describe, expect, it } from "vitest";
import { AuditAnnotations } from "./audit-annotations.ts";

describe("audit annotations", () => {
  it("keep the first value of a key, in the order of arrival", () => {
    const annotations = new AuditAnnotations();
    annotations.add("b", "1");
    annotations.add("a", "2");
    annotations.add("b", "3");
    expect(annotations.entries()).toEqual([
      ["b", "1"],
      ["a", "2"],
    ]);
  });

  it("leave out what exceeds their size", () => {
    const annotations = new AuditAnnotations();
    annotations.add("large", "x".repeat(256 * 1024));
    annotations.add("small", "x");
    expect(annotations.entries()).toEqual([["small", "x"]]);
  });
});
