/**
 * The catalogue of behaviours (docs/catalogue) and the tests whose titles carry its codes.
 *
 *     cataloguePages → rows of every page        carriedCodes → code and the test files that carry it
 *
 * A title carries codes in front ("A27, W18: is written by the watch alone …"), or in parentheses ("… (§9.14)", "…
 * (trap 29, §2.11)"); a table of cases carries one per case (`{ id: "D001", …`).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One line of a page. */
export interface CatalogueRow {
  /** "A1", "J051", "§9.14", "trap 22". */
  readonly code: string;
  readonly behaviour: string;
  /** Links to the tests, or "none: " and the reason why there are none. */
  readonly tests: string;
}

/** A page, named from the folder of the catalogue: "informers.md". */
export interface CataloguePage {
  readonly file: string;
  readonly text: string;
  readonly rows: readonly CatalogueRow[];
}

const folder = "docs/catalogue";
const rowLine = /^\| (?!code \||-)([^|]+) \| ([^|]+) \|([^|]*)\|$/gm;

export function cataloguePages(root: string): readonly CataloguePage[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(root, folder, file), "utf8");
      const rows = [...text.matchAll(rowLine)].map(([, code = "", behaviour = "", tests = ""]) => ({
        code,
        behaviour,
        tests: tests.trim(),
      }));
      return { file, text, rows };
    });
}

/** The page with the tests of each row filled in; rows that say "none" stay as they are. */
export const withTests = (page: CataloguePage, carried: ReadonlyMap<string, ReadonlySet<string>>): string =>
  page.text.replaceAll(rowLine, (_line, code: string, behaviour: string, tests: string) => {
    const cell = tests.trim().startsWith("none: ") ? tests.trim() : links([...(carried.get(code) ?? [])]);
    return `| ${code} | ${behaviour} | ${cell} |`;
  });

/** Test files as links from the folder of the catalogue: "[cache/src/informer](../../packages/cache/src/informer.test.ts)". */
const links = (files: readonly string[]): string =>
  files
    .toSorted()
    .map((file) => `[${file.replace(/^packages\//, "").replace(/\.test\.ts$|\.ts$/, "")}](../../${file})`)
    .join(", ");

const code = String.raw`(?:[ABCDELSTWX]\d{1,2}|[CDEGJRS]\d{3}|§\d+(?:\.\d+)+|traps? \d+|SEC\d{1,2})`;
const leading = new RegExp(`["\`](${code}(?:(?:, | and )(?:${code}|\\d+))*): `, "g");
const inParentheses = / \(([^()"`\n]*)\)/g;
const inTables = /(?:\[|\bid: )"([CDEGJRS]\d{3})"/g;

/** Every code that a test carries, with the files, named from the root of the repository. */
export function carriedCodes(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const carried = new Map<string, Set<string>>();
  for (const file of testFiles(root)) {
    for (const each of codesIn(readFileSync(join(root, file), "utf8"))) {
      const files = carried.get(each) ?? new Set();
      carried.set(each, files.add(file));
    }
  }
  return carried;
}

function testFiles(root: string): readonly string[] {
  const folders = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`), "conformance", "examples", "scripts"];
  return folders.flatMap((each) =>
    readdirSync(join(root, each), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `${each}/${file}`),
  );
}

/** The codes that the titles in a test file carry. */
export function codesIn(text: string): readonly string[] {
  const inFront = [...text.matchAll(leading)].flatMap(([, codes = ""]) => listed(codes));
  const bracketed = [...text.matchAll(inParentheses)].flatMap(([, codes = ""]) => listed(codes.replaceAll(/\brow |\bLasso's /g, "")));
  const ofCases = [...text.matchAll(inTables)].map(([, each = ""]) => each);
  return [...inFront, ...bracketed, ...ofCases];
}

/** "traps 26 and 30" is two codes; what is not a code is left out. */
function listed(text: string): string[] {
  const isTraps = text.startsWith("traps ");
  return text
    .split(/, | and /)
    .map((each) => (isTraps && /^\d+$/.test(each) ? `trap ${each}` : each.replace(/^traps /, "trap ")))
    .filter((each) => new RegExp(`^${code}$`).test(each));
}
