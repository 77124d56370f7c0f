import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defectRows } from "./defect-rows.ts";
import { defectTable, rowTests } from "./defect-table.ts";

const root = join(import.meta.dirname, "..", "..");
const tests = rowTests(root);
const carried = new Set(tests.flatMap(({ rows }) => rows));

describe("defects seen elsewhere", () => {
  it("are forty of frameworks, and all that Lasso and Wrangler test", () => {
    const count = (chapter: string): number => defectRows.filter(({ row }) => row.startsWith(chapter)).length;
    expect([count("§9."), count("§3."), new Set(defectRows.map(({ row }) => row)).size]).toEqual([40, 39, defectRows.length]);
  });

  it("each have a test, or a reason why there is none", () => {
    expect(defectRows.filter(({ row, absent }) => absent === undefined && !carried.has(row))).toEqual([]);
    expect(defectRows.filter(({ row, absent }) => absent !== undefined && carried.has(row))).toEqual([]);
  });

  it("of §9 have a test without exception", () => {
    expect(defectRows.filter(({ row, absent }) => row.startsWith("§9.") && absent !== undefined)).toEqual([]);
  });

  it("are the only rows that tests carry", () => {
    const known = new Set(defectRows.map(({ row }) => row));
    expect(tests.filter(({ rows }) => rows.some((row) => !known.has(row)))).toEqual([]);
  });

  it("stand in the README with their tests", () => {
    const file = join(root, "conformance", "README.md");
    const page = readFileSync(file, "utf8");
    const table = defectTable(defectRows, tests);
    const written = /^\| row \| what must hold .*\n(?:\|.*\n)*/m.exec(page)?.[0] ?? "";
    expect(written).not.toBe("");
    if (process.env["DROVER_RECORD"] === "1")
      return writeFileSync(
        file,
        page.replace(written, () => `${table}\n`),
      );
    const [lines, wanted] = [written.trimEnd().split("\n"), table.split("\n")];
    // Titles have changed: DROVER_RECORD=1 npm test -- conformance/documents/defect-table writes the table anew.
    expect({ missing: wanted.filter((line) => !lines.includes(line)), outdated: lines.filter((line) => !wanted.includes(line)) }).toEqual({
      missing: [],
      outdated: [],
    });
  });
});
