import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Allowance } from "./allowance.ts";
import { BudgetExceededError, isBudgetExceededError } from "./budget-exceeded-error.ts";
import { budget } from "./budget.ts";

const cells = budget({ name: "test/cells", limit: 100, unit: "bytes", atLimit: "the cell is left empty" });

describe("Allowance", () => {
  it("allows exactly its limit", () => {
    const allowance = new Allowance(cells);
    allowance.spend(60);
    allowance.spend(40);
    expect(allowance.left).toBe(0);
    expect(() => allowance.spend(1)).toThrow("test/cells: more than 100 bytes; the cell is left empty");
  });

  it("takes another limit than the declared one, and names it", () => {
    const allowance = new Allowance(cells, 2048);
    allowance.spend(2000);
    const error = thrownBy(() => allowance.spend(49));
    expect(isBudgetExceededError(error)).toBe(true);
    expect(error).toMatchObject({ name: "BudgetExceededError", budget: cells, limit: 2048 });
    expect((error as BudgetExceededError).message).toContain("more than 2 KiB");
  });

  it("refuses NaN, which compares with nothing", () => {
    expect(() => new Allowance(cells).spend(NaN)).toThrow(BudgetExceededError);
  });

  it("never spends more than its limit, and spends nothing when it refuses", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60)), (amounts) => {
        const allowance = new Allowance(cells);
        let spent = 0;
        for (const amount of amounts) {
          const before = allowance.left;
          try {
            allowance.spend(amount);
            spent += amount;
          } catch {
            expect(allowance.left).toBe(before);
            expect(amount).toBeGreaterThan(before);
          }
          expect(allowance.left).toBe(100 - spent);
          expect(spent).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
