import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateConsumptions, validateCounterSets } from "./counters.ts";

const counters = { memory: { value: "1Gi" } };

describe("validation of shared counters", () => {
  it("requires names and counters, once each", () => {
    expect(validateCounterSets([{ name: "a", counters }], "s")).toEqual([]);
    expect(validateCounterSets([{ name: "", counters: {} }], "s").map(printFieldError)).toEqual([
      "s[0].name: Required value",
      "s[0].counters: Required value",
    ]);
    expect(
      validateCounterSets(
        [
          { name: "a", counters },
          { name: "a", counters },
        ],
        "s",
      ).map(printFieldError),
    ).toEqual(['s[1]: Duplicate value: "a"']);
  });

  it("lets a device take from at most two sets", () => {
    const three = ["a", "b", "c"].map((counterSet) => ({ counterSet, counters }));
    expect(validateConsumptions(three.slice(1), "c")).toEqual([]);
    expect(validateConsumptions(three, "c").map(printFieldError)).toEqual(["c: Too many: 3: must have at most 2 items"]);
  });
});
