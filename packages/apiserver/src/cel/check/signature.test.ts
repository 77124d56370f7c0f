import { describe, expect, it } from "vitest";
import { printType } from "./cel-type.ts";
import { parseSignature } from "./signature.ts";

describe("parseSignature", () => {
  it("distinguishes methods from functions and parses nested types", () => {
    const { name, isMethod, args, result } = parseSignature("map(K, list(V)) . pick(K, int) optional(V)");
    expect([name, isMethod, args.map(printType), printType(result)]).toEqual([
      "pick",
      true,
      ["map(K, list(V))", "K", "int"],
      "optional_type(V)",
    ]);
    expect(parseSignature("ip.isCanonical(string) bool")).toMatchObject({ name: "ip.isCanonical", isMethod: false });
    expect(() => parseSignature("what(nope) bool")).toThrow("invalid type: nope");
  });
});
