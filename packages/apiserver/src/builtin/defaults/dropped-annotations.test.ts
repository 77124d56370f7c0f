import { describe, expect, it } from "vitest";
import { dropAnnotations } from "./dropped-annotations.ts";

describe("dropping annotations", () => {
  it("takes away those that are named and keeps the others", () => {
    const metadata = { annotations: { a: "1", b: "2" } };
    dropAnnotations(metadata, ["a", "c"]);
    expect(metadata).toEqual({ annotations: { b: "2" } });
  });

  it("leaves no empty map", () => {
    const metadata = { annotations: { a: "1" } };
    dropAnnotations(metadata, ["a"]);
    expect(metadata).toEqual({});
    expect(() => dropAnnotations(undefined, ["a"])).not.toThrow();
  });
});
