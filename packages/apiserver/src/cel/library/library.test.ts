import { describe, expect, it } from "vitest";
import { library } from "./library.ts";

describe("the library", () => {
  it("has no two overloads of one function with the same way to be called", () => {
    for (const [name, overloads] of library)
      expect(new Set(overloads.map(({ isMethod, args }) => JSON.stringify([isMethod, args]))).size, name).toBe(overloads.length);
  });
});
