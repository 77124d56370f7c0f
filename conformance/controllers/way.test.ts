import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passing } from "./facets.ts";
import { way } from "./way.ts";

describe("the path of a value", () => {
  it("has no repetitions", () => {
    expect(way(["a", "a", "b", "b", "a"], "all")).toBe("a → b → a");
  });

  it("by turning points is the same for a less frequent observer", () => {
    expect(way(["0", "1", "2", "3", "2", "1"], "turns")).toBe("0 → 3 → 1");
    expect(way(["0", "3", "1"], "turns")).toBe("0 → 3 → 1");
    expect(way(["-", "0", "2"], "turns")).toBe("- → 0 → 2");
  });

  it("has no more turning points than changes, whatever is left out between them", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1 }), (numbers) => {
        const turns = way(numbers.map(String), "turns");
        expect(way(turns.split(" → "), "turns")).toBe(turns);
      }),
    );
  });

  it("by peak has its maximum and its end", () => {
    expect(way(["8", "10", "4", "8"], "peak")).toBe("8, at most 10");
  });

  it("leaves out intermediate values, except the last one", () => {
    expect(way(["a", passing, "b"], "all")).toBe("a → b");
    expect(way(["a", passing, "a"], "all")).toBe("a");
    expect(way(["a", passing], "all")).toBe(`a → ${passing}`);
  });
});
