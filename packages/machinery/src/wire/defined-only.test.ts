import { describe, expect, it } from "vitest";
import { definedOnly } from "./defined-only.ts";

describe("definedOnly", () => {
  it("leaves out what is undefined, and nothing else", () => {
    const options = definedOnly<{ a?: string; b?: number; c?: boolean }>({ a: "", b: undefined, c: false });
    expect(Object.entries(options)).toEqual([
      ["a", ""],
      ["c", false],
    ]);
  });
});
