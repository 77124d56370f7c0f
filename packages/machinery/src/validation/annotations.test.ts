import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import { validateAnnotations } from "./annotations.ts";

describe("validateAnnotations", () => {
  it("requires qualified names in any case, and accepts any values", () => {
    expect(validateAnnotations({ "Example.COM/Name": "é\n", a: "" }, "a")).toEqual([]);
    expect(validateAnnotations({ "a/b/c": "" }, "a").map((error) => error.value)).toEqual(["a/b/c"]);
    expect(validateAnnotations(undefined, "a")).toEqual([]);
  });

  it("lowers letters as the server does, down to the dotted capital I", () => {
    expect(validateAnnotations({ "\u0130": "", "\u212a": "" }, "a")).toEqual([]);
    expect(validateAnnotations({ É: "" }, "a")).toHaveLength(1);
  });

  it("allows 256 KiB in total, counted in bytes, keys included", () => {
    expect(validateAnnotations({ k: "x".repeat(262_143) }, "a")).toEqual([]);
    expect(validateAnnotations({ k: "x".repeat(131_072), l: "x".repeat(131_071) }, "a").map(printFieldError)).toEqual([
      "a: Too long: may not be more than 262144 bytes",
    ]);
    expect(validateAnnotations({ k: "é".repeat(131_072) }, "a")).toHaveLength(1);
  });
});
