import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chapters } from "../differential/chapters.ts";
import { carriedCodes, cataloguePages, codesIn, withTests } from "./catalogue.ts";

const root = join(import.meta.dirname, "..", "..");
const probesPage = "probes.md";
const pages = cataloguePages(root).filter(({ file }) => file !== probesPage);
const rows = pages.flatMap((page) => page.rows);
const carried = carriedCodes(root);
const isNone = ({ tests }: { readonly tests: string }): boolean => tests.startsWith("none: ");
const records = process.env["DROVER_RECORD"] === "1";
const hint = "DROVER_RECORD=1 npm test -- conformance/documents/catalogue writes the column of tests again";

describe("the catalogue of behaviours", () => {
  it("has a row for every code that the title of a test carries", () => {
    const known = new Set(rows.map(({ code }) => code));
    expect([...carried].filter(([code]) => !known.has(code))).toEqual([]);
  });

  it("has a test for every row, or a reason why there is none", () => {
    expect(rows.filter((row) => !isNone(row) && !carried.has(row.code))).toEqual([]);
    expect(rows.filter((row) => isNone(row) && carried.has(row.code))).toEqual([]);
  });

  it("has a test for every defect of other frameworks (§9), without exception", () => {
    expect(rows.filter((row) => row.code.startsWith("§9.") && isNone(row))).toEqual([]);
  });

  it("has a row for every attack and every threat, and none of those without a test but what is not built", () => {
    const codes = rows.map(({ code }) => code);
    const numbered = (family: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${family}${index + 1}`);
    expect(codes.filter((code) => code.startsWith("SEC"))).toEqual(numbered("SEC", 25));
    expect(codes.filter((code) => /^X\d/.test(code))).toEqual(numbered("X", 35));
    expect(codes.filter((code) => /^S\d{1,2}$/.test(code)).length).toBe(16);
    const unproven = rows.filter((row) => isNone(row) && /^(?:SEC|X|S)\d{1,2}$/.test(row.code));
    expect(unproven.map(({ code }) => code)).toEqual(["X11", "S12"]);
  });

  it("lists every code once", () => {
    const codes = rows.map(({ code }) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    const count = (family: RegExp): number => codes.filter((code) => family.test(code)).length;
    expect({ frameworks: count(/^§9\./), theirTests: count(/^§3\./), wrangler: count(/^§2\./), traps: count(/^trap/) }).toEqual({
      frameworks: 40,
      theirTests: 39,
      wrangler: 27,
      traps: 23,
    });
  });

  it.each(pages.map((page) => [page.file, page] as const))("%s names the test files of each row", (file, page) => {
    const wanted = withTests(page, carried);
    if (records) writeFileSync(join(root, "docs", "catalogue", file), wanted);
    else expect(page.text, hint).toBe(wanted);
  });

  it("README.md links every page", () => {
    const index = readFileSync(join(root, "docs", "catalogue", "README.md"), "utf8");
    expect([...pages.map(({ file }) => file), probesPage].filter((file) => !index.includes(`](${file})`))).toEqual([]);
  });

  it("probes.md lists every probe of the differential suite with its chapter", () => {
    const lines = chapters.flatMap(({ name, probes }) =>
      probes.map((probe) => {
        const [, id = "", sentence = ""] = /^(\S+) (.*)$/.exec(probe.name) ?? [];
        return `| ${id} | ${sentence.replaceAll("|", String.raw`\|`)} | ${name} |`;
      }),
    );
    const file = join(root, "docs", "catalogue", probesPage);
    const page = readFileSync(file, "utf8");
    const table = `| code | behaviour | chapter |\n|---|---|---|\n${lines.join("\n")}\n`;
    const wanted = page.replace(/^\| code \|[\s\S]*$/m, () => table);
    if (records) writeFileSync(file, wanted);
    else expect(page, hint).toBe(wanted);
  });
});

describe("codes in titles", () => {
  it.each([
    ['it("A27, W18: is written by the watch alone", …', ["A27", "W18"]],
    ['it("traps 26 and 30: know why they run", …', ["trap 26", "trap 30"]],
    ['it("stands under its identity (trap 29, §2.11)", …', ["trap 29", "§2.11"]],
    ['it("fulfils expectations once (row C001)", …', ["C001"]],
    ['it("are not used up (kubernetes/kubernetes#132805, §9.9)", …', ["§9.9"]],
    ['{ id: "D001", from: 10 }, ["J051", 1]', ["D001", "J051"]],
    ['it("refuses links (SEC17, X15, S9)", …', ["SEC17", "X15", "S9"]],
    ['it("reads A4 paper (see the manual)", …', []],
  ])("are found in %s", (text, codes) => {
    expect(codesIn(text)).toEqual(codes);
  });
});
