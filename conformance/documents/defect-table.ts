/**
 * Which test shows which row of defect-rows.ts, as the table of README.md. A test carries rows at the end of its title:
 * "… (§9.14)", "… (trap 29, §2.11)".
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefectRow } from "./defect-rows.ts";

/** A test that carries rows. */
export interface RowTest {
  /** "cache/src/reflector" */
  readonly file: string;
  /** Without the rows. */
  readonly title: string;
  readonly rows: readonly string[];
}

const title = /(["`])(?<title>(?:(?!\1)[^\n\\])*?) \((?:[^()"`§]*, )?(?<rows>§[\d.]+(?:, §[\d.]+)*)\)\1,/g;

/** Of all packages, of conformance and of the examples, in the order of their files. */
export function rowTests(root: string): readonly RowTest[] {
  const folders = [...readdirSync(join(root, "packages")).map((name) => join("packages", name, "src")), "conformance", "examples"];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .toSorted()
      .flatMap((name) =>
        rowsIn(readFileSync(join(root, folder, name), "utf8")).map((found) => ({
          file: join(folder, name)
            .replace(/^packages\//, "")
            .replace(/\.test\.ts$/, ""),
          ...found,
        })),
      ),
  );
}

function rowsIn(text: string): readonly Omit<RowTest, "file">[] {
  return [...text.matchAll(title)].map(({ groups = {} }) => ({ title: groups["title"] ?? "", rows: (groups["rows"] ?? "").split(", ") }));
}

/** As Markdown. */
export function defectTable(rows: readonly DefectRow[], tests: readonly RowTest[]): string {
  const lines = rows.map(({ row, promise, absent, but }) => {
    const shown =
      absent === undefined
        ? tests
            .filter(({ rows: carried }) => carried.includes(row))
            .map((test) => `${test.file}: "${test.title.replaceAll("|", "\\|")}"`)
            .join("; ")
        : `not there: ${absent}`;
    return `| ${row} | ${promise} | ${shown}${but === undefined ? "" : ` (${but})`} |`;
  });
  return ["| row | what must hold | tests |", "|---|---|---|", ...lines].join("\n");
}
