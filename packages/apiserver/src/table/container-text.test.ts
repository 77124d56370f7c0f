import { describe, expect, it } from "vitest";
import { containerText } from "./container-text.ts";

describe("container cells", () => {
  it("list names and images in order", () => {
    expect(containerText({ spec: { containers: [{ name: "a", image: "x:1" }, { name: "b" }, { name: "c", image: "y" }] } })).toEqual([
      "a,b,c",
      "x:1,,y",
    ]);
  });

  it("are empty without a template", () => {
    expect(containerText(undefined)).toEqual(["", ""]);
  });
});
