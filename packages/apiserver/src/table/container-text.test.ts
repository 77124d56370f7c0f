import { describe, expect, it } from "vitest";
import { containerText } from "./container-text.ts";

describe("containers in two cells", () => {
  it("are named in their order", () => {
    expect(containerText({ spec: { containers: [{ name: "a", image: "x:1" }, { name: "b" }, { name: "c", image: "y" }] } })).toEqual([
      "a,b,c",
      "x:1,,y",
    ]);
  });

  it("are nothing where there is no template", () => {
    expect(containerText(undefined)).toEqual(["", ""]);
  });
});
