import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { budgetsPage, declaredBudgets, silentBudgets } from "./budgets.ts";
import { sourceFiles } from "./source-files.ts";

const root = join(import.meta.dirname, "..", "..");
const path = "packages/cache/src/a.ts";

describe("declaredBudgets", () => {
  it("evaluates the declarations and orders them by name", () => {
    const text = `
      const b = budget({ name: "cache/b", limit: 64 * 2 ** 20, unit: "bytes", atLimit: "x" });
      export const a = budget({ name: "cache/a", limit: 1_000, unit: "items", atLimit: "y" });`;
    expect(declaredBudgets([{ path, text }])).toEqual([
      { name: "cache/a", limit: 1000, unit: "items", atLimit: "y" },
      { name: "cache/b", limit: 64 * 2 ** 20, unit: "bytes", atLimit: "x" },
    ]);
  });

  it("rejects a declaration that it cannot evaluate, and names its file", () => {
    expect(() => declaredBudgets([{ path, text: `budget({ name: "cache/a", limit: other, unit: "items", atLimit: "y" })` }])).toThrow(
      "packages/cache/src/a.ts: budget(",
    );
  });
});

describe("the budgets of the packages", () => {
  const budgets = declaredBudgets(sourceFiles(root));

  it("have a name that begins with their package and occurs once", () => {
    expect(budgets.filter(({ name }) => !/^[a-z-]+\/[a-z-]+$/.test(name))).toEqual([]);
    expect(new Set(budgets.map(({ name }) => name)).size).toBe(budgets.length);
  });

  it("count in drover_budget_exceeded_total, or say why not", () => {
    expect(silentBudgets(sourceFiles(root))).toEqual([]);
    const text = `const b = budget({ name: "cache/b", limit: 1, unit: "bytes", atLimit: "x" });`;
    expect(silentBudgets([{ path, text }])).toEqual(["cache/b"]);
    expect(silentBudgets([{ path, text: `${text} countExceeded(metrics, b);` }])).toEqual([]);
    expect(silentBudgets([{ path, text: text.replace(` });`, `, uncounted: "y" });`) }])).toEqual([]);
  });

  it("are listed in docs/budgets.md (npx vitest run scripts/docs/budgets -u writes it anew)", async () => {
    await expect(budgetsPage(budgets)).toMatchFileSnapshot(join(root, "docs", "budgets.md"));
  });
});
