/**
 * Every row of docs/catalogue/controllers.md is carried by a test of the controller manager, or is in the table of
 * exceptions in the package's README.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cataloguePages } from "./catalogue.ts";

const root = join(import.meta.dirname, "..", "..");
const heading = "## Rows of the catalogue that are not in this package\n";
const controllerManagerRows = cataloguePages(root)
  .filter(({ file }) => file === "controllers.md")
  .flatMap(({ rows }) => rows.map(({ code }) => code));
const name = "[CDEGJRS]\\d{3}";
/**
 * How titles carry rows: before a colon, or as "(row …)" at the end; and as the first value of a case, for titles that
 * begin with "%s:" or "$id:".
 */
const carriers: readonly RegExp[] = [
  new RegExp(`["\`](${name}(?:, ${name})*): `, "g"),
  new RegExp(` \\(row (${name})\\)"`, "g"),
  new RegExp(`(?:\\[|\\{ id: )"(${name})", `, "g"),
];
const namesIn = (text: string): readonly string[] => text.match(new RegExp(`\\b${name}\\b`, "g")) ?? [];

/** The rows that the tests of each file carry. */
function rowsByFile(): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = [...readdirSync(join(root, "packages")).map((each) => `packages/${each}/src`), "conformance"];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `${folder}/${file}`),
  );
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return [file, new Set(carriers.flatMap((carrier) => [...text.matchAll(carrier)].flatMap(([, rows = ""]) => namesIn(rows))))];
    }),
  );
}

interface Exception {
  readonly rows: readonly string[];
  /** The test file that carries them, if there is one. */
  readonly file: string | undefined;
  /** Whether the entry is about the whole row, or only the part it names. */
  readonly isWhole: boolean;
}

function exceptions(): readonly Exception[] {
  const section = readFileSync(join(root, "packages/controller-manager/README.md"), "utf8").split(heading)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => /^\| (?!row \|)/.test(line))
    .map((line) => {
      const [, what = "", where = ""] = line.split("|");
      return { rows: namesIn(what), file: /`([^`]+\.test\.ts)`/.exec(where)?.[1], isWhole: namesIn(what).join(", ") === what.trim() };
    });
}

describe("the rows of the catalogue of controllers", () => {
  const carried = rowsByFile();
  const table = exceptions();
  const isNear = (file: string): boolean =>
    file.startsWith("packages/controller-manager/") || file.startsWith("conformance/controller-manager/");
  const near = new Set([...carried].flatMap(([file, rows]) => (isNear(file) ? [...rows] : [])));

  it("are each carried by a test of these controllers, or are in the table of exceptions", () => {
    const excepted = new Set(table.flatMap(({ rows }) => rows));
    expect(controllerManagerRows.filter((row) => !near.has(row) && !excepted.has(row))).toEqual([]);
  });

  it("are in the table of exceptions only if needed, with a file that carries them or a reason", () => {
    expect(table).not.toEqual([]);
    for (const { rows, file, isWhole } of table) {
      expect(rows).not.toEqual([]);
      if (file !== undefined) expect([file, rows.filter((row) => carried.get(file)?.has(row) !== true)]).toEqual([file, []]);
      if (isWhole) expect(rows.filter((row) => near.has(row))).toEqual([]);
    }
  });

  it("are 253, each once, and the table knows no others", () => {
    const known = new Set(controllerManagerRows);
    expect([known.size, controllerManagerRows.length]).toEqual([253, 253]);
    expect(table.flatMap(({ rows }) => rows).filter((row) => !known.has(row))).toEqual([]);
  });
});
