import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listMarkdown, problemMarkdown } from "../../packages/cli/src/explain/problem-page.ts";
import { problemAreas, problems } from "../../packages/cli/src/explain/problems.ts";
import { sourceFiles } from "./source-files.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "docs", "errors");

/** Codes in the source, and the files that use them. Comments are not uses. */
function codeUses(): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  for (const { path, text } of sourceFiles(root)) {
    if (path.startsWith("packages/cli/src/explain/")) continue;
    const code = text.replace(/\/\*[^]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
    for (const name of new Set([...code.matchAll(/"(DRV\d{4})"/g)].map(([, found = ""]) => found)))
      uses.set(name, [...(uses.get(name) ?? []), path]);
  }
  return uses;
}

it("every code in the source has a page, and every page a use", () => {
  expect([...codeUses().keys()].toSorted()).toEqual(problems.map(({ code }) => code));
});

it("every code is used in one file, so that it means one problem", () => {
  expect([...codeUses()].filter(([, files]) => files.length > 1)).toEqual([]);
});

it("docs/errors has the pages of all codes, and no others (npx vitest run scripts/docs/errors -u writes them anew)", async () => {
  await expect(listMarkdown(problemAreas)).toMatchFileSnapshot(join(folder, "README.md"));
  for (const problem of problems) await expect(problemMarkdown(problem)).toMatchFileSnapshot(join(folder, `${problem.code}.md`));
  expect(readdirSync(folder).toSorted()).toEqual([...problems.map(({ code }) => `${code}.md`), "README.md"]);
});
