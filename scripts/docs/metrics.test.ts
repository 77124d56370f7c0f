import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

const root = join(import.meta.dirname, "..", "..");

it("docs/metrics.md lists every metric that the sources register, with its type", () => {
  // `metrics.counter({ name: "x" …` and, where a file has a helper of that name, `counter("x" …`.
  const registered = sourceFiles(root).flatMap(({ text }) =>
    [...text.matchAll(/\b(counter|gauge|histogram)\(\s*(?:\{\s*name:\s*)?"([a-z_]+)"/g)].map(
      ([, type = "", name = ""]) => `${name} ${type}`,
    ),
  );
  const page = readFileSync(join(root, "docs", "metrics.md"), "utf8");
  const listed = [...page.matchAll(/^\| `([a-z_]+)` \| (counter|gauge|histogram) \|/gm)].map(
    ([, name = "", type = ""]) => `${name} ${type}`,
  );
  expect(registered.length).toBeGreaterThan(50);
  expect(listed.toSorted()).toEqual([...new Set(registered)].toSorted());
});
