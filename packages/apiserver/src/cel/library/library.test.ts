import { describe, expect, it } from "vitest";
import { library } from "./library.ts";

describe("the CEL library", () => {
  it("has no ambiguous overloads", () => {
    for (const [name, overloads] of library)
      expect(new Set(overloads.map(({ isMethod, args }) => JSON.stringify([isMethod, args]))).size, name).toBe(overloads.length);
  });
});
