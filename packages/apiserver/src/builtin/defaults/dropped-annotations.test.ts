import { describe, expect, it } from "vitest";
import { dropAnnotations } from "./dropped-annotations.ts";

describe("dropAnnotations", () => {
  it("removes the named annotations and keeps others", () => {
    const metadata = { annotations: { a: "1", b: "2" } };
    dropAnnotations(metadata, ["a", "c"]);
    expect(metadata).toEqual({ annotations: { b: "2" } });
  });

  it("removes an empty annotations map", () => {
    const metadata = { annotations: { a: "1" } };
    dropAnnotations(metadata, ["a"]);
    expect(metadata).toEqual({});
    expect(() => dropAnnotations(undefined, ["a"])).not.toThrow();
  });
});
