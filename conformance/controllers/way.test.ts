import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passing } from "./facets.ts";
import { way } from "./way.ts";

describe("the way of a value", () => {
  it("has no repetitions", () => {
    expect(way(["a", "a", "b", "b", "a"], "all")).toBe("a → b → a");
  });

  it("where only its turns count is the same for those who looked less often", () => {
    expect(way(["0", "1", "2", "3", "2", "1"], "turns")).toBe("0 → 3 → 1");
    expect(way(["0", "3", "1"], "turns")).toBe("0 → 3 → 1");
    expect(way(["-", "0", "2"], "turns")).toBe("- → 0 → 2");
  });

  it("turns no more often than it changes, whatever is left out between turns", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1 }), (numbers) => {
        const turns = way(numbers.map(String), "turns");
        expect(way(turns.split(" → "), "turns")).toBe(turns);
      }),
    );
  });

  it("where only its peak counts says how high it was, and where it ended", () => {
    expect(way(["8", "10", "4", "8"], "peak")).toBe("8, at most 10");
  });

  it("leaves out what is only passed, unless it ends there", () => {
    expect(way(["a", passing, "b"], "all")).toBe("a → b");
    expect(way(["a", passing, "a"], "all")).toBe("a");
    expect(way(["a", passing], "all")).toBe(`a → ${passing}`);
  });
});
