import { Quantity } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountsOf, areSameAmounts, increaseOf, maskAmounts, nonZero, printAmounts, resourceListOf, sumOfAmounts } from "./amounts.ts";
import type { Amounts } from "./amounts.ts";

const amounts: fc.Arbitrary<Amounts> = fc
  .dictionary(fc.constantFrom("cpu", "memory", "pods", "__proto__"), fc.integer({ min: 0, max: 1000 }))
  .map((list) => new Map(Object.entries(list).map(([name, value]) => [name, Quantity.of(BigInt(value))])));

describe("amounts of resources", () => {
  it("are read from JSON, written in the order of names, and printed", () => {
    const read = amountsOf({ pods: 2, cpu: "1500m", "count/a.b": "0" });
    expect(JSON.stringify(resourceListOf(read))).toBe('{"count/a.b":"0","cpu":"1500m","pods":"2"}');
    expect(printAmounts(read)).toBe("count/a.b=0,cpu=1500m,pods=2");
    expect([printAmounts(amountsOf(undefined)), printAmounts(amountsOf(null))]).toEqual(["", ""]);
  });

  it("keep the format of what is added to nothing", () => {
    expect(printAmounts(sumOfAmounts(amountsOf({ memory: "0" }), amountsOf({ memory: "1Gi" })))).toBe("memory=1Gi");
  });

  it("have an increase that is never negative, with the names of both sides", () => {
    expect(printAmounts(increaseOf(amountsOf({ cpu: "2", memory: "1" }), amountsOf({ cpu: "500m", memory: "3", pods: "1" })))).toBe(
      "cpu=1500m,memory=0,pods=0",
    );
  });

  it("add up to what was taken away", () => {
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        const sum = sumOfAmounts(one, other);
        expect(areSameAmounts(nonZero(increaseOf(sum, other)), nonZero(one))).toBe(true);
        expect(areSameAmounts(sum, sumOfAmounts(other, one))).toBe(true);
        expect([...maskAmounts(sum, one.keys()).keys()]).toEqual([...one.keys()]);
      }),
    );
  });
});
